/// Which keys each object of a document has, and which of them somebody asked for.
///
/// Confined to one call of `StrictJSON.decode`; `@unchecked Sendable` because `JSONDecoder.userInfo` asks for it.
final class KeyVisits: @unchecked Sendable {
    private var present: [String: Set<String>] = [:]
    private var visited: [String: Set<String>] = [:]

    func open(_ path: [any CodingKey], keys: some Sequence<String>) {
        present[key(path), default: []].formUnion(keys)
    }

    func visit(_ name: String, at path: [any CodingKey]) {
        visited[key(path), default: []].insert(name)
    }

    /// What comes from outside is not sent back at any length.
    private static let mostReported = 20
    private static let longestName = 80

    /// In the order of their paths; no more than the first.
    var unknownFields: [FieldProblem] {
        present.flatMap { path, keys in
            keys.subtracting(visited[path] ?? []).map { path.isEmpty ? $0 : path + "." + $0 }
        }
        .sorted()
        .prefix(Self.mostReported)
        .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestName))) }
        .map {
            FieldProblem(
                field: $0, code: ProblemCode.unknownField.rawValue, detail: "\($0) is not a field of this request.")
        }
    }

    private func key(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : FieldPath.text(path)
    }
}
