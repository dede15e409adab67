/// What is wrong with one field of a request.
public struct FieldProblem: Codable, Sendable, Equatable, Hashable {
    /// The path of the field in the body, as in `address.city` or `lines.0.sku`.
    public let field: String
    /// `required`, `unknown_field`, `wrong_type`, `out_of_range`, `invalid`.
    public let code: String
    /// One sentence for people.
    public let detail: String

    public init(field: String, code: String, detail: String) {
        self.field = field
        self.code = code
        self.detail = detail
    }
}
