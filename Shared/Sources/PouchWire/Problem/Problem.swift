import Foundation

/// The body of every error answer: `application/problem+json` (RFC 9457).
public struct Problem: Codable, Sendable, Equatable {
    public static let mediaType = "application/problem+json"

    /// `about:blank#` and the code; the code is what programs should look at.
    public let type: String
    public let title: String
    public let status: Int
    /// What happened this time, for people. Never names tables, paths, types or secrets.
    public let detail: String?
    public let code: ProblemCode
    public let requestId: String?
    /// The single fields that are to blame.
    public let errors: [FieldProblem]?

    public init(
        type: String,
        title: String,
        status: Int,
        detail: String?,
        code: ProblemCode,
        requestId: String?,
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

    /// A problem with what the table says of its code.
    public init(_ code: ProblemCode, detail: String? = nil, requestId: String? = nil, errors: [FieldProblem]? = nil) {
        self.init(
            type: "about:blank#" + code.rawValue,
            title: code.row?.title ?? code.rawValue,
            status: code.row?.status ?? 500,
            detail: detail,
            code: code,
            requestId: requestId,
            errors: errors
        )
    }
}
