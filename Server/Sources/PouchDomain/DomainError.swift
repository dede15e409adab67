import PouchEntities

/// Why the shop's rules refuse something. Nothing that was asked for was done where one of these is thrown.
public enum DomainError: Error, Sendable, Equatable {
    case invalid([InvalidField])

    case emailTaken
    /// The same whether the account exists or not.
    case invalidCredentials
    case tooManyAttempts(retryAfterSeconds: Int)
    case unauthenticated
    case tokenExpired
    /// The session that the token belonged to has been ended.
    case tokenReused
    case forbidden

    /// Also for what belongs to somebody else.
    case notFound
    case limitReached

    case unknownSKU(String)
    case outOfStock([StockShortfall])
    case cartFull
    case cartEmpty
    case versionConflict
    case shippingRequired
    case unknownShippingMethod
    case emailRequired
    case discountInvalid
    case discountExpired
    case discountExhausted
    /// The total is another than the buyer saw; the changes tell what is known of the reasons.
    case priceChanged([CartChange])

    case paymentDeclined(code: String)
    /// The provider failed; nothing was charged.
    case paymentProviderFailed
    case notCancellable
    /// More than what is left of the charge.
    case refundExceedsCapture

    /// Another discount has the code.
    case codeTaken
    /// More units would go than are not held by orders.
    case stockNegative(available: Int)
    case notFulfillable
    case notDeliverable

    /// This way of delivery needs to know where the address is.
    case locationRequired
    /// The order is on its way, or nothing is wrong with its delivery.
    case deliverySettled
    /// The rider has an active one.
    case rideInProgress
    case quoteExpired
    /// No quote of ours, or one of another rider, trip or option.
    case quoteMismatch
    case rideNotCompleted

    case idempotencyKeyReused
    case idempotencyKeyInUse
}

/// What is wrong with one value from outside.
public struct InvalidField: Sendable, Equatable {
    /// The path of the field in the request, as in `address.city`.
    public let field: String
    public let reason: Reason
    /// One sentence for people.
    public let detail: String

    public enum Reason: String, Sendable {
        case outOfRange = "out_of_range"
        case invalid
    }

    public init(_ field: String, _ reason: Reason, _ detail: String) {
        self.field = field
        self.reason = reason
        self.detail = detail
    }
}
