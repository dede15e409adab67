/// The stable name of an error. The set is open: a client must expect codes that it does not know.
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
    // 422: the request was read, but it is wrong.
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

/// The fixed facts of a code: its status, its title, and whether sending the same request again can help.
public struct ProblemRow: Sendable {
    public let code: ProblemCode
    public let status: Int
    public let title: String
    /// The value of `Should-Retry`; sent only where `hasShouldRetry` is true.
    public let shouldRetry: Bool

    /// Whether a response with this status has `Should-Retry`: on 409, 429 and 5xx.
    public var hasShouldRetry: Bool { status == 409 || status == 429 || status >= 500 }
}

extension ProblemCode {
    /// The table of all codes.
    public static let table: [ProblemRow] = [
        row(.invalidRequest, 400, "The request cannot be read"),
        row(.invalidJSON, 400, "The body is not JSON"),
        row(.invalidQuery, 400, "A query value cannot be read"),
        row(.invalidCursor, 400, "The cursor is not valid"),
        row(.cursorExpired, 400, "The cursor belongs to an earlier version of the catalogue"),
        row(.invalidHeader, 400, "A header cannot be read"),
        row(.idempotencyKeyRequired, 400, "This request needs an Idempotency-Key"),
        row(.unauthenticated, 401, "Sign in first"),
        row(.tokenExpired, 401, "The access token has expired"),
        row(.tokenReused, 401, "The refresh token was used before"),
        row(.invalidCredentials, 401, "E-mail address or password is wrong"),
        row(.paymentDeclined, 402, "The payment was declined"),
        row(.forbidden, 403, "This account may not do that"),
        row(.notFound, 404, "There is nothing here"),
        row(.unknownSKU, 404, "No such SKU"),
        row(.methodNotAllowed, 405, "This path does not support that method"),
        row(.emailTaken, 409, "The e-mail address has an account already"),
        row(.outOfStock, 409, "There is not enough in stock"),
        row(.priceChanged, 409, "The total is not the expected one"),
        row(.cartEmpty, 409, "The cart is empty"),
        row(.shippingRequired, 409, "Choose shipping first"),
        row(.notCancellable, 409, "This can no longer be cancelled"),
        row(.codeTaken, 409, "Another discount has this code"),
        row(.stockNegative, 409, "There are not enough free units"),
        row(.notFulfillable, 409, "The order cannot be fulfilled in its current state"),
        row(.notDeliverable, 409, "The order cannot be delivered in its current state"),
        row(.refundExceedsCapture, 409, "The refund exceeds what is left of the charge"),
        row(.deliverySettled, 409, "The delivery method can no longer be changed"),
        row(.rideInProgress, 409, "Another ride is under way"),
        row(.quoteExpired, 409, "The quote has expired"),
        row(.rideNotCompleted, 409, "The ride is not completed"),
        row(.idempotencyKeyInUse, 409, "The first request with this key is still running", retry: true),
        row(.versionConflict, 412, "This has changed since it was last read"),
        row(.bodyTooLarge, 413, "The body is too large"),
        row(.unsupportedMediaType, 415, "The body must be application/json"),
        row(.rangeNotSatisfiable, 416, "The range lies outside the file"),
        row(.validationFailed, 422, "Some fields are not right"),
        row(.unknownField, 422, "The body has unknown fields"),
        row(.jsonTooDeep, 422, "The JSON is nested too deep"),
        row(.cartFull, 422, "The cart has no room for another line"),
        row(.unknownShippingMethod, 422, "No such shipping method"),
        row(.locationRequired, 422, "This shipping method needs a location"),
        row(.emailRequired, 422, "A guest has to give an e-mail address"),
        row(.discountInvalid, 422, "The discount code is not valid"),
        row(.discountExpired, 422, "The discount code has expired"),
        row(.discountExhausted, 422, "The discount code has been used up"),
        row(.quoteMismatch, 422, "The quote is for another trip"),
        row(.idempotencyKeyReused, 422, "The key belongs to another request"),
        row(.invalidFeed, 422, "The feed as a whole cannot be read"),
        row(.limitReached, 422, "The limit for this list is reached"),
        row(.tooManyAttempts, 429, "Too many failed attempts", retry: true),
        row(.headersTooLarge, 431, "The headers are too large"),
        row(.internalError, 500, "Something went wrong on our side", retry: true),
        row(.paymentProviderError, 502, "The payment provider failed; nothing was charged", retry: true),
        row(.overloaded, 503, "The server is overloaded", retry: true),
        row(.unavailable, 503, "The server is not ready", retry: true),
    ]

    private static let rows = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0) })

    /// The code's row in the table; nil for a code that this version does not know.
    public var row: ProblemRow? { Self.rows[self] }

    private static func row(_ code: ProblemCode, _ status: Int, _ title: String, retry: Bool = false) -> ProblemRow {
        ProblemRow(code: code, status: status, title: title, shouldRetry: retry)
    }
}
