import PouchHTTP
import PouchWire

/// Why a form did not take effect.
struct FormFailure: Sendable {
    let problem: RequestProblem
    /// In the visitor's language.
    var summary: String
    /// By the field that each belongs to.
    var fields: [(field: String, text: String)]

    init(_ problem: RequestProblem, _ text: ProblemText, of form: FormBody) {
        self.problem = problem
        fields = (problem.fields ?? []).map { ($0.field, text.field($0, isBlank: form.isBlank($0.field))) }
        summary = text.summary(problem)
    }

    /// For the partial `form-errors`.
    ///
    /// - Parameter prefix: that of the ids of the page's inputs, which the name of the field follows.
    func values(id prefix: String = "") -> PageValues {
        [
            "summary": summary,
            "items": fields.map { field -> PageValues in
                ["field": field.field, "id": prefix + field.field.replacing(".", with: "-"), "text": field.text]
            },
        ]
    }
}

/// The inputs of a page to which the errors of its form lead.
///
/// The API names fields of its request. One may have no input of its own, such as an entry of a list that is typed as one
/// text. Its error leads to the closest input: that of the field, the first within it, or that of the field around it. An
/// error of a field without any is no link. The inputs are those of the page as it is, also with an owner's templates.
struct ErrorLinks {
    /// The tags to which an error may lead. The legend is that of a group of boxes, none of which is wrong by itself.
    private static let tags = ["input", "select", "textarea", "legend"]

    /// The ids of inputs, by that of a field: the same, or that of the first input within it.
    private var inputs: [String: String] = [:]

    /// - Parameter page: its HTML.
    init(in page: String) {
        let ids = Self.ids(in: page)
        for id in ids {
            for end in id.indices where id[end] == "-" {
                let field = String(id[..<end])
                inputs[field] = inputs[field] ?? id
            }
        }
        for id in ids { inputs[id] = id }
    }

    /// The values of the partial `form-errors` with ids that the page has; false for an error without one.
    func values(_ errors: PageValues) -> PageValues {
        let items = (errors["items"] as? [PageValues] ?? []).map { item in
            let (field, id) = (item["field"] as? String ?? "", item["id"] as? String ?? "")
            let found = closest(to: field, prefix: String(id.dropLast(field.count)))
            return item.merging(["id": shown(found)]) { $1 }
        }
        return errors.merging(["items": items]) { $1 }
    }

    private func closest(to field: String, prefix: String) -> String? {
        var steps = field.split(separator: ".")
        while !steps.isEmpty {
            if let input = inputs[prefix + steps.joined(separator: "-")] { return input }
            steps.removeLast()
        }
        return nil
    }

    /// The ids in the order of the page, without those of rows that a script adds.
    private static func ids(in page: String) -> [String] {
        var (ids, isTemplate): ([String], Bool) = ([], false)
        for part in page.utf8.split(separator: UInt8(ascii: "<")) {
            if part.starts(with: "template".utf8) { isTemplate = true }
            if part.starts(with: "/template".utf8) { isTemplate = false }
            guard !isTemplate, tags.contains(where: { part.starts(with: $0.utf8) }) else { continue }
            // A value has no quote in it, since values are escaped.
            let attributes = Substring(part.prefix { $0 != UInt8(ascii: ">") }).split(whereSeparator: \.isWhitespace)
            let id = attributes.first { $0.hasPrefix("id=\"") }
            if let id { ids.append(String(id.dropFirst(4).prefix { $0 != "\"" })) }
        }
        return ids
    }
}
