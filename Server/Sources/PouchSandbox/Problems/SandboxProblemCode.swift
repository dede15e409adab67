/// What the service refuses, or fails at. Nothing was booked where a request gets one of these, but for `internalError`
/// and `unavailable`, of which that is not known.
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
    /// The caller means another ledger.
    case wrongLedger = "wrong_ledger"
    case idempotencyKeyReused = "idempotency_key_reused"
    case notCapturable = "not_capturable"
    case refundExceedsCapture = "refund_exceeds_capture"
    /// The provider failed, and says for certain that nothing was booked.
    case nothingBooked = "nothing_booked"
    case internalError = "internal_error"
    case unavailable

    var status: Int {
        switch self {
        case .invalidRequest, .invalidJSON, .idempotencyKeyRequired: 400
        case .unauthenticated: 401
        case .notFound: 404
        case .wrongLedger, .idempotencyKeyReused, .notCapturable, .refundExceedsCapture: 409
        case .bodyTooLarge: 413
        case .validationFailed, .unknownField, .currencyMismatch: 422
        case .nothingBooked, .internalError: 500
        case .unavailable: 503
        }
    }

    var title: String {
        switch self {
        case .invalidRequest: "The request cannot be read"
        case .invalidJSON: "The body is not JSON"
        case .idempotencyKeyRequired: "This request needs an Idempotency-Key"
        case .unauthenticated: "The key is missing or wrong"
        case .notFound: "There is nothing here"
        case .bodyTooLarge: "The body is too large"
        case .validationFailed: "Some fields are not right"
        case .unknownField: "The body has fields that are not known here"
        case .currencyMismatch: "The charge is in another currency"
        case .wrongLedger: "This is another ledger"
        case .idempotencyKeyReused: "The key belongs to another request"
        case .notCapturable: "The charge cannot be captured"
        case .refundExceedsCapture: "Less than that is left of the charge"
        case .nothingBooked: "The provider failed; nothing was booked"
        case .internalError: "Something went wrong on our side"
        case .unavailable: "The ledger is busy"
        }
    }
}
