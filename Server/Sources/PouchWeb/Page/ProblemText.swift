import Foundation
import PouchHTTP
import PouchWire

/// Describes problems in the visitor's language: what happened, and what to do next. A problem without a text gets the
/// API's own words, in English.
///
/// The keys of texts are `problem-` and the code, `problem-fields` for any code with fields, `decline-` and the reason of a
/// payment's provider, and for fields `field-` with their name and the reason, with the reason and the type of the form's
/// field, or with the reason alone.
struct ProblemText: Sendable {
    let texts: [String: String]
    let language: Language
    /// Whether wrong credentials are the password of the account in which the visitor is.
    var isSignedIn = false
    /// The form that failed.
    var form: FormBody?

    func summary(_ problem: RequestProblem) -> String {
        let decline = problem.declineCode.flatMap { texts["decline-" + Self.words($0)] }
        let code = isSignedIn && problem.code == .invalidCredentials ? "wrong_password" : problem.code.rawValue
        guard let text = decline ?? texts["problem-" + Self.words(code)] else {
            if let fields = problem.fields {
                // The API says the problems of the fields in the detail, too; a page may have said something else.
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
        // The last part of `address.line1` names the entry; that of `lines.0` does not.
        let name = problem.field.split(separator: ".").last { Int($0) == nil }.map { Self.words(String($0)) } ?? ""
        let reason = Self.words(problem.code)
        let type = form?.type(of: problem.field) ?? ""
        // That the visitor left the field empty says more than that its text is too short.
        let isBlank = form?.isBlank(problem.field) ?? false
        let own = isBlank && texts["entry-\(name)"] != nil ? [] : ["field-\(name)-\(reason)"]
        let keys = own + (isBlank ? ["field-required"] : ["field-\(reason)-\(type)", "field-\(reason)"])
        guard let text = keys.lazy.compactMap({ texts[$0] }).first else { return problem.detail }
        return text.replacing("%@", with: texts["entry-\(name)"] ?? problem.field)
    }

    /// Such as “2 minutes”, rounded up.
    private func wait(_ seconds: Int) -> String {
        let (number, unit) = seconds < 120 ? (max(1, seconds), "seconds") : ((seconds + 59) / 60, "minutes")
        let key = number == 1 ? "wait-second" : "wait-\(unit)"
        return (texts[key] ?? "%@ \(unit)").replacing("%@", with: language.number(number))
    }

    /// `mobileNumber` and `too_many_attempts` as parts of a key: `mobile-number`, `too-many-attempts`.
    private static func words(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? "-" + letter.lowercased() : letter == "_" ? "-" : String(letter)
        }
    }
}
