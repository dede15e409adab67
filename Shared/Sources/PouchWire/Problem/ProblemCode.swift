/// The stable name of an error. Open: a client must expect codes that it does not know.
public struct ProblemCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    // 400: the request cannot be read.
    public static let invalidRequest = Self(rawValue: "invalid_request")
    public static let invalidJSON = Self(rawValue: "invalid_json")
    public static let invalidQuery = Self(rawValue: "invalid_query")
    public static let invalidCursor = Self(rawValue: "invalid_cursor")
    public static let cursorExpired = Self(rawValue: "cursor_expired")
    public static let invalidHeader = Self(rawValue: "invalid_header")
    public static let idempotencyKeyRequired = Self(rawValue: "idempotency_key_required")
    // 401, 402, 403
    public static let unauthenticated = Self(rawValue: "unauthenticated")
    public static let tokenExpired = Self(rawValue: "token_expired")
    public static let tokenReused = Self(rawValue: "token_reused")
    public static let invalidCredentials = Self(rawValue: "invalid_credentials")
    public static let paymentDeclined = Self(rawValue: "payment_declined")
    public static let forbidden = Self(rawValue: "forbidden")
    // 404, 405
    public static let notFound = Self(rawValue: "not_found")
    public static let unknownSKU = Self(rawValue: "unknown_sku")
    public static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    // 409
    public static let emailTaken = Self(rawValue: "email_taken")
    public static let outOfStock = Self(rawValue: "out_of_stock")
    public static let priceChanged = Self(rawValue: "price_changed")
    public static let cartEmpty = Self(rawValue: "cart_empty")
    public static let shippingRequired = Self(rawValue: "shipping_required")
    public static let notCancellable = Self(rawValue: "not_cancellable")
    public static let codeTaken = Self(rawValue: "code_taken")
    public static let stockNegative = Self(rawValue: "stock_negative")
    public static let notFulfillable = Self(rawValue: "not_fulfillable")
    public static let notDeliverable = Self(rawValue: "not_deliverable")
    public static let refundExceedsCapture = Self(rawValue: "refund_exceeds_capture")
    public static let deliverySettled = Self(rawValue: "delivery_settled")
    public static let rideInProgress = Self(rawValue: "ride_in_progress")
    public static let quoteExpired = Self(rawValue: "quote_expired")
    public static let rideNotCompleted = Self(rawValue: "ride_not_completed")
    public static let idempotencyKeyInUse = Self(rawValue: "idempotency_key_in_use")
    // 412, 413, 415
    public static let versionConflict = Self(rawValue: "version_conflict")
    public static let bodyTooLarge = Self(rawValue: "body_too_large")
    public static let unsupportedMediaType = Self(rawValue: "unsupported_media_type")
    public static let rangeNotSatisfiable = Self(rawValue: "range_not_satisfiable")
    // 422: read, but wrong.
    public static let validationFailed = Self(rawValue: "validation_failed")
    public static let unknownField = Self(rawValue: "unknown_field")
    public static let jsonTooDeep = Self(rawValue: "json_too_deep")
    public static let cartFull = Self(rawValue: "cart_full")
    public static let unknownShippingMethod = Self(rawValue: "unknown_shipping_method")
    public static let locationRequired = Self(rawValue: "location_required")
    public static let emailRequired = Self(rawValue: "email_required")
    public static let discountInvalid = Self(rawValue: "discount_invalid")
    public static let discountExpired = Self(rawValue: "discount_expired")
    public static let discountExhausted = Self(rawValue: "discount_exhausted")
    public static let quoteMismatch = Self(rawValue: "quote_mismatch")
    public static let idempotencyKeyReused = Self(rawValue: "idempotency_key_reused")
    public static let invalidFeed = Self(rawValue: "invalid_feed")
    public static let limitReached = Self(rawValue: "limit_reached")
    // 429, 431
    public static let tooManyAttempts = Self(rawValue: "too_many_attempts")
    public static let headersTooLarge = Self(rawValue: "headers_too_large")
    // 5xx
    public static let internalError = Self(rawValue: "internal_error")
    public static let paymentProviderError = Self(rawValue: "payment_provider_error")
    public static let overloaded = Self(rawValue: "overloaded")
    public static let unavailable = Self(rawValue: "unavailable")
}
