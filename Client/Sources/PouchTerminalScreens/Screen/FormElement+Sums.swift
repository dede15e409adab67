import PouchTerminal

extension FormElement {
    /// Sums below each other.
    static func sums(_ rows: [(name: StyledText, sum: StyledText)]) -> [FormElement] {
        rows.map { .block(Row($0.name, $0.sum)) }
    }
}
