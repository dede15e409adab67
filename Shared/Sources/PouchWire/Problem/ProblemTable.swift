/// What is fixed for a code: its status, its title, and whether sending the same request again can help.
public struct ProblemRow: Sendable {
    public let code: ProblemCode
    public let status: Int
    public let title: String
    /// The value of `Should-Retry`, which stands on 409, 429 and 5xx alone.
    public let shouldRetry: Bool

    /// Whether an answer with this status has `Should-Retry`.
    public var hasAdvice: Bool { status == 409 || status == 429 || status >= 500 }
}

extension ProblemCode {
    /// The one table of codes.
    public static let table: [ProblemRow] = [
        row(.invalidRequest, 400, "The request cannot be read"),
        row(.invalidJSON, 400, "The body is not JSON"),
        row(.invalidQuery, 400, "A query value cannot be read"),
        row(.invalidCursor, 400, "The cursor is not one of ours"),
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
        row(.methodNotAllowed, 405, "This path does not know that method"),
        row(.emailTaken, 409, "The e-mail address has an account already"),
        row(.outOfStock, 409, "There is not enough in stock"),
        row(.priceChanged, 409, "The total is not the expected one"),
        row(.cartEmpty, 409, "The cart is empty"),
        row(.shippingRequired, 409, "Choose shipping first"),
        row(.notCancellable, 409, "This can no longer be cancelled"),
        row(.codeTaken, 409, "Another discount has this code"),
        row(.stockNegative, 409, "There are not so many units"),
        row(.notFulfillable, 409, "The order cannot be fulfilled as it stands"),
        row(.notDeliverable, 409, "The order cannot be delivered as it stands"),
        row(.refundExceedsCapture, 409, "The refund is more than what is left of the charge"),
        row(.deliverySettled, 409, "The way of delivery can no longer be changed"),
        row(.rideInProgress, 409, "Another ride is under way"),
        row(.quoteExpired, 409, "The quote has expired"),
        row(.rideNotCompleted, 409, "The ride is not completed"),
        row(.idempotencyKeyInUse, 409, "The first request with this key is still running", retry: true),
        row(.versionConflict, 412, "Somebody else changed this meanwhile"),
        row(.bodyTooLarge, 413, "The body is too large"),
        row(.unsupportedMediaType, 415, "The body must be application/json"),
        row(.rangeNotSatisfiable, 416, "The range lies outside the file"),
        row(.validationFailed, 422, "Some fields are not right"),
        row(.unknownField, 422, "The body has fields that are not known here"),
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
        row(.limitReached, 422, "There are too many of these"),
        row(.tooManyAttempts, 429, "Too many failed attempts", retry: true),
        row(.headersTooLarge, 431, "The headers are too large"),
        row(.internalError, 500, "Something went wrong on our side", retry: true),
        row(.paymentProviderError, 502, "The payment provider failed; nothing was charged", retry: true),
        row(.overloaded, 503, "The server has too much to do", retry: true),
        row(.unavailable, 503, "The server is not ready", retry: true),
    ]

    private static let rows = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0) })

    /// The code's row in the table; nil for a code that this version does not know.
    public var row: ProblemRow? { Self.rows[self] }

    private static func row(_ code: ProblemCode, _ status: Int, _ title: String, retry: Bool = false) -> ProblemRow {
        ProblemRow(code: code, status: status, title: title, shouldRetry: retry)
    }
}
