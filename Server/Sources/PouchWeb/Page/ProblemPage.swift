import HTTPTypes
import PouchHTTP
import PouchTemplates
import PouchWire

struct ProblemValues: PageModel {
    /// A product that is no longer sold.
    struct Gone: TemplateValues {
        let name: String
        let image: PictureValues?
    }

    let status, heading, text: String
    /// The id of the request; nil for a page without a problem to report.
    var requestId: String?
    let links: [ActionLink]
    var product: Gone?
    var recommendations: [ProductCard] = []
}

/// A link that looks like a button.
struct ActionLink: TemplateValues {
    let label, url: String
    let isPrimary: Bool
}

extension Visit {
    /// The page for a request that failed: what happened, and what to do next.
    func problemPage(_ problem: RequestProblem) -> PageContent {
        let problemText = ProblemText(texts: texts, language: language)
        let heading = problemText.heading(problem)
        let values = ProblemValues(
            status: String(problem.code.status), heading: heading, text: problemText.summary(problem),
            requestId: context.requestId,
            links: [
                .init(label: text("all-products"), url: PagePath.products, isPrimary: true),
                .init(label: text("breadcrumb-home"), url: "/", isPrimary: false),
            ])
        var content = PageContent(values, title: heading)
        content.setStatus(of: problem)
        return content
    }
}

extension PageContent {
    /// Sets the status and the headers that tell a program about a problem.
    mutating func setStatus(of problem: RequestProblem) {
        status = .init(code: problem.code.status)
        if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
    }
}

/// Describes problems in the visitor's language: what happened, and what to do next. A problem without a text uses the
/// API's own text, in English.
///
/// The keys of the texts are `problem-` and the code, `problem-fields` for any code with fields, `decline-` and the
/// payment provider's reason, and for fields `field-` with the name and the reason, with the reason and the type of the
/// form field, or with the reason alone.
struct ProblemText: Sendable {
    let texts: [String: String]
    let language: Language
    /// Whether wrong credentials mean a wrong password for the account that the visitor is signed in to.
    var isSignedIn = false
    /// The failed form.
    var form: FormBody?

    func summary(_ problem: RequestProblem) -> String {
        let decline = problem.declineCode.flatMap { texts["decline-" + Self.words($0)] }
        let code = isSignedIn && problem.code == .invalidCredentials ? "wrong_password" : problem.code.rawValue
        guard let text = decline ?? texts["problem-" + Self.words(code)] else {
            if let fields = problem.fields {
                // The API repeats the errors of the fields in the detail, but a page may have set a different one.
                let detail = problem.detail.flatMap { detail in
                    fields.contains { detail.contains($0.detail) } ? nil : detail
                }
                return detail ?? texts["problem-fields"] ?? problem.detail ?? problem.code.title
            }
            return [problem.code.title, problem.detail].compactMap(\.self).joined(separator: ". ")
        }
        return text.replacing("%@", with: wait(problem.retryAfterSeconds ?? 60))
    }

    /// The heading of a page about the problem.
    func heading(_ problem: RequestProblem) -> String {
        texts["problem-\(Self.words(problem.code.rawValue))-title"] ?? texts["problem-title"] ?? problem.code.title
    }

    func field(_ problem: FieldProblem) -> String {
        // The last part of `address.line1` names the entry; the last part of `lines.0` does not.
        let name = problem.field.split(separator: ".").last { Int($0) == nil }.map { Self.words(String($0)) } ?? ""
        let reason = Self.words(problem.code)
        let type = form?.type(of: problem.field) ?? ""
        // “The field is empty” is more helpful than “the text is too short”.
        let isBlank = form?.isBlank(problem.field) ?? false
        let own = isBlank && texts["entry-\(name)"] != nil ? [] : ["field-\(name)-\(reason)"]
        let keys = own + (isBlank ? ["field-required"] : ["field-\(reason)-\(type)", "field-\(reason)"])
        guard let text = keys.lazy.compactMap({ texts[$0] }).first else { return problem.detail }
        return text.replacing("%@", with: texts["entry-\(name)"] ?? problem.field)
    }

    /// The waiting time, rounded up, such as “2 minutes”.
    private func wait(_ seconds: Int) -> String {
        let (number, unit) = seconds < 120 ? (max(1, seconds), "seconds") : ((seconds + 59) / 60, "minutes")
        let key = number == 1 ? "wait-second" : "wait-\(unit)"
        return (texts[key] ?? "%@ \(unit)").replacing("%@", with: language.number(number))
    }

    /// Converts `mobileNumber` and `too_many_attempts` to parts of a key: `mobile-number`, `too-many-attempts`.
    private static func words(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? "-" + letter.lowercased() : letter == "_" ? "-" : String(letter)
        }
    }
}
