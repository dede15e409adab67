import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchContract
import PouchDomain
import PouchJSON
import PouchWire

/// The codes of the service's errors. A request with one of them booked nothing, except for `internalError` and
/// `unavailable`, which leave that open.
public enum SandboxProblemCode: String, Sendable, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidJSON = "invalid_json"
    case idempotencyKeyRequired = "idempotency_key_required"
    case unauthenticated
    case notFound = "not_found"
    case bodyTooLarge = "body_too_large"
    case validationFailed = "validation_failed"
    case unknownField = "unknown_field"
    case currencyMismatch = "currency_mismatch"
    /// The caller expects another ledger.
    case wrongLedger = "wrong_ledger"
    case idempotencyKeyReused = "idempotency_key_reused"
    case notCapturable = "not_capturable"
    case refundExceedsCapture = "refund_exceeds_capture"
    /// The provider failed and certainly booked nothing.
    case nothingBooked = "nothing_booked"
    case internalError = "internal_error"
    case unavailable

    var facts: (status: Int, title: String) {
        switch self {
        case .invalidRequest: (400, "The request is malformed")
        case .invalidJSON: (400, "The body is not valid JSON")
        case .idempotencyKeyRequired: (400, "An Idempotency-Key is required")
        case .unauthenticated: (401, "The key is missing or wrong")
        case .notFound: (404, "Not found")
        case .bodyTooLarge: (413, "The body is too large")
        case .validationFailed: (422, "Some fields are invalid")
        case .unknownField: (422, "The body has unknown fields")
        case .currencyMismatch: (422, "The charge has a different currency")
        case .wrongLedger: (409, "This is a different ledger")
        case .idempotencyKeyReused: (409, "The key belongs to a different request")
        case .notCapturable: (409, "The charge cannot be captured")
        case .refundExceedsCapture: (409, "The refund exceeds the refundable amount")
        case .nothingBooked: (500, "The provider failed; nothing was booked")
        case .internalError: (500, "Internal error")
        case .unavailable: (503, "The ledger is busy")
        }
    }

    /// The meaning of this problem for a payment.
    public var providerError: PaymentProviderError {
        switch self {
        case .internalError, .unavailable: .noAnswer
        default: .failed
        }
    }
}

/// The problem+json error response.
struct SandboxProblem: Error {
    let code: SandboxProblemCode
    /// One sentence for the user.
    var detail: String?
    var fields: [FieldProblem]?

    init(_ code: SandboxProblemCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Converts any error. An unexpected error is logged, and the caller sees no details of it.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let error as SandboxProblem: self = error
        case let error as JSONError where !error.fieldProblems.isEmpty:
            self.init(
                error.code == .unknownField ? .unknownField : .validationFailed, error.fieldProblems.first?.detail)
            fields = error.fieldProblems
        case is JSONError: self.init(.invalidJSON)
        case let error as QueryProblem: self.init(.invalidRequest, error.detail)
        case is NIOTooManyBytesError: self.init(.bodyTooLarge)
        case let error as HTTPError where error.status == .notFound: self.init(.notFound)
        case let error as HTTPError where error.status.kind == .clientError: self.init(.invalidRequest)
        case is OverloadError: self.init(.unavailable)
        case is AnswerLost: self.init(.internalError)
        default:
            logger.error("unexpected error", metadata: ["error": "\(String(reflecting: error))"])
            self.init(.internalError)
        }
    }

    var response: Response {
        let (status, title) = code.facts
        let problem = Problem(
            type: "about:blank#" + code.rawValue, title: title, status: status, detail: detail,
            code: ProblemCode(rawValue: code.rawValue), requestId: nil, errors: fields)
        // Encoding plain values cannot fail; if it did, the status would still be right.
        let body = (try? problem.json()).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(
            status: .init(code: status), headers: [.contentType: Problem.mediaType],
            body: .init(byteBuffer: body))
    }
}
