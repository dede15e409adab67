import PouchJSON

/// The body of every error response: `application/problem+json` (RFC 9457).
public struct Problem: JSONModel, Equatable {
    public static let mediaType = "application/problem+json"

    /// `about:blank#` followed by the code; programs should use the code.
    public let type: String
    public let title: String
    public let status: Int
    /// A description of this occurrence for the user. Never names tables, paths, types or secrets.
    public let detail: String?
    public let code: ProblemCode
    public let requestId: String?
    /// The fields of the request that caused the problem.
    public let errors: [FieldProblem]?

    /// Whether the type is one of Pouch's. Other servers send problem documents, too.
    public var isOfPouch: Bool { type == Self.typePrefix + code.rawValue }

    private static let typePrefix = "about:blank#"

    public init(
        type: String, title: String, status: Int, detail: String?, code: ProblemCode, requestId: String?,
        errors: [FieldProblem]?
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.requestId = requestId
        self.errors = errors
    }

    /// Creates a problem with the type, title and status of its code; 500 for a code that the table does not have.
    public init(_ code: ProblemCode, detail: String? = nil, requestId: String? = nil, errors: [FieldProblem]? = nil) {
        self.init(
            type: Self.typePrefix + code.rawValue, title: code.title, status: code.status,
            detail: detail, code: code, requestId: requestId, errors: errors)
    }

    public static let json = JSONObject(
        Problem.init, .field("type", \.type), .field("title", \.title), .field("status", \.status),
        .field("detail", \.detail), .field("code", \.code), .field("requestId", \.requestId), .field("errors", \.errors)
    )
}

/// An error in one field of a request.
public struct FieldProblem: JSONModel, Equatable, Hashable {
    /// The path of the field in the body, such as `address.city` or `lines.0.sku`.
    public let field: String
    /// `required`, `unknown_field`, `wrong_type`, `out_of_range` or `invalid`.
    public let code: String
    /// One sentence for the user.
    public let detail: String

    public init(field: String, code: String, detail: String) {
        self.field = field
        self.code = code
        self.detail = detail
    }

    public static let json = JSONObject(
        FieldProblem.init, .field("field", \.field), .field("code", \.code), .field("detail", \.detail))
}
