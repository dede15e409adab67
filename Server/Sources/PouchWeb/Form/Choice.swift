import PouchTemplates

/// A choice in a `select`, or in a group of checkboxes or radio buttons.
///
///     let categories = taxonomy.categories.map { Choice($0.id, $0.name) }
///     let values = categories.values(chosen: visit.query("category"))
struct Choice: Sendable {
    /// The choice in a template.
    struct Values: TemplateValues {
        let index: Int
        let value, label, text: String
        let isSelected: Bool
    }

    let value: String
    let label: String
    /// A text that explains the label; blank for none.
    let text: String

    init(_ value: String, _ label: String, text: String = "") {
        self.value = value
        self.label = label
        self.text = text
    }
}

extension [Choice] {
    /// The values of the choices in a template.
    func values(chosen: Set<String>) -> [Choice.Values] {
        enumerated().map { index, choice in
            Choice.Values(
                index: index, value: choice.value, label: choice.label, text: choice.text,
                isSelected: chosen.contains(choice.value))
        }
    }

    /// - Parameter chosen: the single chosen value; nil for none.
    func values(chosen: String?) -> [Choice.Values] { values(chosen: Set([chosen].compactMap(\.self))) }
}
