import PouchJSON

/// The stable name of an error, with its fixed properties. The set is open: a client must expect codes that it does not
/// know.
public struct ProblemCode: RawRepresentable, Hashable, JSONCodable, CustomStringConvertible {
    public let rawValue: String
    /// The HTTP status; 500 for a code that this version does not know.
    public let status: Int
    /// The title; the code itself if this version does not know it.
    public let title: String
    /// The value of `Should-Retry`: whether sending the same request again can help. Sent only if `hasShouldRetry` is
    /// true.
    public let shouldRetry: Bool

    public init(rawValue: String) {
        self = Self.known[rawValue] ?? Self(rawValue, 500, rawValue)
    }

    private init(_ rawValue: String, _ status: Int, _ title: String, retry shouldRetry: Bool = false) {
        self.rawValue = rawValue
        self.status = status
        self.title = title
        self.shouldRetry = shouldRetry
    }

    public var description: String { rawValue }

    /// Whether a response with this status has `Should-Retry`: on 409, 429 and 5xx.
    public var hasShouldRetry: Bool { status == 409 || status == 429 || status >= 500 }

    // 400: the request cannot be read.
    public static let invalidRequest = Self("invalid_request", 400, "The request is malformed")
    public static let invalidJSON = Self("invalid_json", 400, "The body is not valid JSON")
    public static let invalidQuery = Self("invalid_query", 400, "A query parameter is invalid")
    public static let invalidCursor = Self("invalid_cursor", 400, "The cursor is invalid")
    public static let cursorExpired = Self(
        "cursor_expired", 400, "The cursor belongs to an earlier version of the catalogue")
    public static let unknownEvent = Self("unknown_event", 400, "The event does not exist or is no longer available")
    public static let invalidHeader = Self("invalid_header", 400, "A header is invalid")
    public static let idempotencyKeyRequired = Self(
        "idempotency_key_required", 400, "This request requires an Idempotency-Key")

    public static let unauthenticated = Self("unauthenticated", 401, "Sign in first")
    public static let tokenExpired = Self("token_expired", 401, "The access token has expired")
    public static let tokenReused = Self("token_reused", 401, "The refresh token was already used")
    public static let invalidCredentials = Self("invalid_credentials", 401, "Incorrect e-mail address or password")
    public static let secondFactorRequired = Self(
        "second_factor_required", 401, "Signing in to this account also requires a code")
    public static let secondFactorInvalid = Self("second_factor_invalid", 401, "The code is incorrect or already used")
    public static let apiKeyInvalid = Self("api_key_invalid", 401, "The API key is unknown, expired or revoked")
    public static let paymentDeclined = Self("payment_declined", 402, "The payment was declined")
    public static let forbidden = Self("forbidden", 403, "You do not have permission to do this")
    public static let freshSignInRequired = Self(
        "fresh_sign_in_required", 403, "Confirm your password first")
    public static let secondFactorNeeded = Self(
        "second_factor_enrolment_required", 403, "Staff of this shop need a second factor")
    public static let emailUnverified = Self("email_unverified", 403, "Verify your e-mail address first")

    public static let notFound = Self("not_found", 404, "Not found")
    public static let unknownSKU = Self("unknown_sku", 404, "Unknown SKU")
    public static let methodNotAllowed = Self("method_not_allowed", 405, "The path does not support this method")

    public static let emailTaken = Self("email_taken", 409, "The e-mail address already has an account")
    public static let lastOwner = Self("last_owner", 409, "The shop must have an owner")
    public static let secondFactorEnabled = Self("second_factor_enabled", 409, "The account has a second factor")
    public static let alreadyVerified = Self("already_verified", 409, "The e-mail address is already verified")
    public static let outOfStock = Self("out_of_stock", 409, "Not enough in stock")
    public static let priceChanged = Self("price_changed", 409, "The total differs from the expected total")
    public static let cartEmpty = Self("cart_empty", 409, "The cart is empty")
    public static let shippingRequired = Self("shipping_required", 409, "Choose a shipping method first")
    public static let notCancellable = Self("not_cancellable", 409, "This can no longer be cancelled")
    public static let notForSale = Self("not_for_sale", 409, "Some products are not for sale")
    public static let statusConflict = Self("status_conflict", 409, "The product's status does not allow this")
    public static let handleTaken = Self("handle_taken", 409, "Another product has this handle")
    public static let skuTaken = Self("sku_taken", 409, "Another product has this SKU")
    public static let stillUsed = Self("still_used", 409, "Products still use this")
    public static let codeTaken = Self("code_taken", 409, "Another discount has this code")
    public static let stockNegative = Self("stock_negative", 409, "Not enough available units")
    public static let notFulfillable = Self(
        "not_fulfillable", 409, "The order cannot be fulfilled in its current state")
    public static let notDeliverable = Self(
        "not_deliverable", 409, "The order cannot be delivered in its current state")
    public static let refundExceedsCapture = Self(
        "refund_exceeds_capture", 409, "The refund exceeds the refundable amount")
    public static let deliverySettled = Self("delivery_settled", 409, "The delivery method can no longer be changed")
    public static let rideInProgress = Self("ride_in_progress", 409, "Another ride is in progress")
    public static let quoteExpired = Self("quote_expired", 409, "The quote has expired")
    public static let rideNotCompleted = Self("ride_not_completed", 409, "The ride is not completed")
    public static let idempotencyKeyInUse = Self(
        "idempotency_key_in_use", 409, "The first request with this key is still running", retry: true)

    public static let eventExpired = Self("event_expired", 409, "The event is no longer available")
    public static let linkExpired = Self("link_expired", 410, "The link has expired")

    public static let versionConflict = Self("version_conflict", 412, "The object has changed since you last read it")
    public static let bodyTooLarge = Self("body_too_large", 413, "The body is too large")
    public static let unsupportedMediaType = Self("unsupported_media_type", 415, "The body must be application/json")
    public static let rangeNotSatisfiable = Self("range_not_satisfiable", 416, "The range is outside the file")

    // 422: the request was read, but it is wrong.
    public static let validationFailed = Self("validation_failed", 422, "Some fields are invalid")
    public static let unknownField = Self("unknown_field", 422, "The body has unknown fields")
    public static let jsonTooDeep = Self("json_too_deep", 422, "The JSON is nested too deeply")
    public static let linkInvalid = Self(
        "link_invalid", 422, "The link is invalid, has expired or was already used")
    public static let cartFull = Self("cart_full", 422, "The cart is full")
    public static let unknownShippingMethod = Self("unknown_shipping_method", 422, "Unknown shipping method")
    public static let locationRequired = Self("location_required", 422, "This shipping method needs a location")
    public static let emailRequired = Self("email_required", 422, "Guests must provide an e-mail address")
    public static let discountInvalid = Self("discount_invalid", 422, "The discount code is not valid")
    public static let discountExpired = Self("discount_expired", 422, "The discount code has expired")
    public static let discountExhausted = Self("discount_exhausted", 422, "The discount code has been used up")
    public static let quoteMismatch = Self("quote_mismatch", 422, "The quote is for a different trip")
    public static let idempotencyKeyReused = Self("idempotency_key_reused", 422, "The key belongs to another request")
    public static let invalidFeed = Self("invalid_feed", 422, "The feed cannot be read")
    public static let invalidPicture = Self("invalid_picture", 422, "The picture cannot be used")
    public static let limitReached = Self("limit_reached", 422, "The list has reached its limit")

    public static let tooManyAttempts = Self("too_many_attempts", 429, "Too many failed attempts", retry: true)
    public static let tooManyRequests = Self("too_many_requests", 429, "Too many requests", retry: true)
    public static let headersTooLarge = Self("headers_too_large", 431, "The headers are too large")

    public static let internalError = Self("internal_error", 500, "Something went wrong on our side", retry: true)
    public static let paymentProviderError = Self(
        "payment_provider_error", 502, "The payment provider failed; nothing was charged", retry: true)
    public static let overloaded = Self("overloaded", 503, "The server is overloaded", retry: true)
    public static let unavailable = Self("unavailable", 503, "The server is not ready", retry: true)

    /// All codes of this version, in the order of their statuses.
    public static let all = [
        invalidRequest, invalidJSON, invalidQuery, invalidCursor, cursorExpired, unknownEvent, invalidHeader,
        idempotencyKeyRequired, unauthenticated, tokenExpired, tokenReused, invalidCredentials, secondFactorRequired,
        secondFactorInvalid, apiKeyInvalid, paymentDeclined, forbidden, freshSignInRequired, secondFactorNeeded,
        emailUnverified, notFound, unknownSKU, methodNotAllowed, emailTaken, lastOwner,
        secondFactorEnabled, alreadyVerified, outOfStock, priceChanged, cartEmpty, shippingRequired, notCancellable,
        notForSale, statusConflict, handleTaken, skuTaken, stillUsed, codeTaken, stockNegative, notFulfillable,
        notDeliverable, refundExceedsCapture, deliverySettled, rideInProgress, quoteExpired, rideNotCompleted,
        idempotencyKeyInUse, eventExpired, linkExpired, versionConflict, bodyTooLarge, unsupportedMediaType,
        rangeNotSatisfiable, validationFailed, unknownField, jsonTooDeep, linkInvalid, cartFull, unknownShippingMethod,
        locationRequired, emailRequired, discountInvalid, discountExpired, discountExhausted, quoteMismatch,
        idempotencyKeyReused, invalidFeed, invalidPicture, limitReached, tooManyAttempts,
        tooManyRequests, headersTooLarge,
        internalError, paymentProviderError, overloaded, unavailable,
    ]

    private static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })
}
