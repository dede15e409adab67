/// How a field is named to people: its keys and positions with dots between, `body` for the whole.
enum FieldPath {
    static func text(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "body" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
