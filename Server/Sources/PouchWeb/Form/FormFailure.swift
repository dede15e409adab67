import Foundation
import PouchHTTP
import PouchTemplates
import PouchWire

/// The reason why a form did not take effect.
struct FormFailure: Sendable {
    let problem: RequestProblem
    /// The summary, in the visitor's language.
    var summary: String
    /// The errors, each with its field.
    var fields: [(field: String, text: String)]

    init(_ problem: RequestProblem, _ text: ProblemText) {
        self.problem = problem
        fields = (problem.fields ?? []).map { ($0.field, text.field($0)) }
        summary = text.summary(problem)
    }

    /// - Parameter prefix: the prefix of the page's input ids, before the name of the field.
    func errors(prefix: String) -> FormErrors {
        FormErrors(
            summary: summary,
            items: fields.map { field in
                .init(field: field.field, id: prefix + field.field.replacing(".", with: "-"), text: field.text)
            })
    }
}

/// The values of the partial `form-errors`.
struct FormErrors: TemplateValues {
    /// The placeholder for the partial during rendering. It is random, so no external text contains it.
    static let place = "~errors-" + String(UInt64.random(in: .min ... .max), radix: 36)

    struct Item: TemplateValues {
        let field: String
        /// The id of the input that the error links to; nil for none.
        var id: String?
        var text: String
    }

    let summary: String
    var items: [Item]
}

/// The values to render the partial `form-errors` on its own.
struct PageErrors: TemplateValues {
    let errors: FormErrors
}

/// Links each field error to an input of the rendered page.
///
/// If the field has no input with its id, the link goes to the first input inside the field, or else to the enclosing
/// field; without either, the error is plain text. A message that starts with the API's field name gets the input's
/// label instead. Works on the rendered HTML, so it also holds for an owner's templates.
struct ErrorLinks {
    /// The elements that an error may link to. A legend stands for a group of checkboxes as a whole.
    private static let tags = ["input", "select", "textarea", "legend"]

    /// The ids of inputs, by the id of a field: the input of the field, or the first input inside it.
    private var inputs: [String: String] = [:]
    /// The labels of inputs, by id.
    private var labels: [String: String] = [:]

    /// - Parameter page: the HTML of the page.
    init(in page: String) {
        let ids = read(page)
        for id in ids {
            for end in id.indices where id[end] == "-" {
                let field = String(id[..<end])
                inputs[field] = inputs[field] ?? id
            }
        }
        for id in ids { inputs[id] = id }
    }

    /// Returns the errors with the ids of the page's inputs; nil for an error without an input.
    func linked(_ errors: FormErrors) -> FormErrors {
        var errors = errors
        errors.items = errors.items.map { item in
            var item = item
            let found = closest(to: item.field, prefix: String((item.id ?? "").dropLast(item.field.count)))
            if let label = found.flatMap({ labels[$0] }) {
                item.text = item.text.labelled(label, insteadOf: item.field)
            }
            item.id = found
            return item
        }
        return errors
    }

    private func closest(to field: String, prefix: String) -> String? {
        var steps = field.split(separator: ".")
        while !steps.isEmpty {
            if let input = inputs[prefix + steps.joined(separator: "-")] { return input }
            steps.removeLast()
        }
        return nil
    }

    /// Reads the ids and stores the labels.
    ///
    /// - Returns: the ids in page order, without those of rows that a script adds.
    private mutating func read(_ page: String) -> [String] {
        var (ids, isTemplate): ([String], Bool) = ([], false)
        for part in page.utf8.split(separator: UInt8(ascii: "<")) {
            if part.starts(with: "template".utf8) { isTemplate = true }
            if part.starts(with: "/template".utf8) { isTemplate = false }
            guard !isTemplate, (Self.tags + ["label"]).contains(where: { part.starts(with: $0.utf8) }) else { continue }
            // Values contain no quotes, since they are escaped.
            let tag = Substring(part.prefix { $0 != UInt8(ascii: ">") })
            func value(_ name: String) -> String? {
                let attribute = tag.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix(name + "=\"") }
                return attribute.map { String($0.dropFirst(name.count + 2).prefix { $0 != "\"" }) }
            }
            let isLabel = tag.hasPrefix("label")
            guard let id = value(isLabel ? "for" : "id") else { continue }
            if !isLabel { ids.append(id) }
            // A legend is the label of its checkboxes. Nested elements, such as “optional”, are not part of the label.
            let text = Self.plain(String(Substring(part.dropFirst(tag.utf8.count + 1))))
            if isLabel || tag.hasPrefix("legend"), !text.isEmpty { labels[id] = text }
        }
        return ids
    }

    /// The unescaped text.
    private static func plain(_ html: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(html) { $0.replacing($1.0, with: $1.1) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension String {
    /// The text with a label instead of the field's name at its start. Texts of the API start with the full name or
    /// with its last part.
    func labelled(_ label: String, insteadOf field: String) -> String {
        let names = [field, field.split(separator: ".").last.map(String.init) ?? field]
        let name = names.first { hasPrefix($0 + " ") || hasPrefix($0 + ":") }
        return name.map { label + dropFirst($0.count) } ?? self
    }
}
