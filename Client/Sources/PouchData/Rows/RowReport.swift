/// A row of a list that could not be read. The rest of the list is there.
public struct RowReport: Sendable, Equatable {
    /// The endpoint's name in the contract, as in `products`.
    public let list: String
    /// From 0, in the page as the server sent it.
    public let row: Int
    /// Which field is to blame, and how; for logs.
    public let reason: String
    public let requestId: String?

    /// Says which field could not be read, without the value that it had.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(type(of: error))" }
        let (what, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context): ("is missing", context.codingPath + [key])
            case .valueNotFound(_, let context): ("is null", context.codingPath)
            case .typeMismatch(_, let context): ("has the wrong type", context.codingPath)
            case .dataCorrupted(let context): ("cannot be read", context.codingPath)
            @unknown default: ("cannot be read", [])
            }
        let field = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return (field.isEmpty ? "the whole" : field) + " " + what
    }
}
