/// A field that the server did not accept.
public struct InvalidField: Sendable, Hashable {
    /// The field's path in the request, as in `address.city`.
    public let field: String
    /// One sentence for people.
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }
}
