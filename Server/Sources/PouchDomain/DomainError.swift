import Foundation
import PouchEntities

/// A refusal by the shop's rules. The requested change has no effect.
public enum DomainError: Error, Sendable, Equatable {
    case invalid([InvalidField])

    case emailTaken
    /// Thrown whether or not the account exists.
    case invalidCredentials
    /// A signed-in caller confirmed the account with a wrong password.
    case wrongPassword
    /// The password is correct, but the account has a second factor.
    case secondFactorRequired
    case secondFactorInvalid
    case secondFactorEnabled
    /// The shop's staff need a second factor.
    case secondFactorNeeded
    case apiKeyInvalid
    /// The text says what is missing.
    case forbidden(String)
    case freshSignInRequired
    case lastOwner
    case tooManyAttempts(retryAfterSeconds: Int)
    case tooManyRequests(retryAfterSeconds: Int)
    /// The limit of the buyer, the card or the network is reached.
    case tooManyDeclines(retryAfterSeconds: Int)
    case unauthenticated
    case tokenExpired
    /// The session of the token has been ended.
    case tokenReused
    case alreadyVerified
    /// The shop requires a verified e-mail address for this action.
    case emailUnverified

    /// Also thrown for resources of another owner.
    case notFound
    case limitReached

    case unknownSKU(String)
    case outOfStock([StockShortfall])
    /// Products that are not published, or removed variants.
    case notForSale([String])
    case cartFull
    case cartEmpty
    case versionConflict
    case shippingRequired
    case unknownShippingMethod
    case emailRequired
    case discountInvalid
    case discountExpired
    case discountExhausted
    /// The total differs from what the buyer saw; the changes name the known reasons.
    case priceChanged([CartChange])

    /// The provider failed; nothing was charged.
    case paymentProviderFailed
    case notCancellable
    /// The amount exceeds the rest of the charge.
    case refundExceedsCapture

    case statusConflict(from: ProductStatus, to: ProductStatus)
    /// Another product has the handle.
    case handleTaken
    /// Another product has the SKU.
    case skuTaken(String)
    /// Products still belong to the category, season or theme.
    case stillUsed
    case invalidPicture(PictureFile.Refusal)

    /// Another discount has the code.
    case codeTaken
    /// Fewer units would remain than orders hold.
    case stockNegative(available: Int)
    case notFulfillable
    case notDeliverable

    /// The delivery method needs a location in the address.
    case locationRequired
    /// The order is on its way, or its delivery has not failed.
    case deliverySettled

    /// The order has reached the maximum number of followers.
    case tooManyFollowers

    /// The event of a delivery is no longer kept.
    case eventExpired
    /// No event with the id is kept.
    case unknownEvent
    /// The token of an e-mail was not issued by this shop or was used, or its object no longer exists.
    case linkInvalid
    /// The link to an order is old.
    case linkExpired

    case idempotencyKeyReused
    case idempotencyKeyInUse

    /// Creates the error for one invalid field.
    package static func invalid(_ field: String, _ reason: InvalidField.Reason, _ detail: String) -> DomainError {
        .invalid([InvalidField(field, reason, detail)])
    }
}

extension Optional {
    /// The value of a look-up.
    ///
    /// - Throws: `DomainError.notFound` for nil.
    package func orNotFound() throws(DomainError) -> Wrapped {
        guard let self else { throw .notFound }
        return self
    }
}

/// A problem with one value of a request.
public struct InvalidField: Sendable, Equatable {
    /// The path of the field, such as `address.city`.
    public let field: String
    public let reason: Reason
    /// One sentence for the user.
    public let detail: String

    public enum Reason: String, Sendable {
        case required
        case outOfRange = "out_of_range"
        case invalid
    }

    public init(_ field: String, _ reason: Reason, _ detail: String) {
        self.field = field
        self.reason = reason
        self.detail = detail
    }
}

extension Money {
    /// The problems of an amount, which must be in the shop's currency and within `ModelLimits.price`.
    func problems(_ field: String, currency shop: Currency, from lowest: Int64 = 0) -> [InvalidField] {
        var problems: [InvalidField] = []
        if currency != shop {
            problems.add(field + ".currency", .invalid, "The shop's currency is \(shop.code).")
        }
        if !(lowest...ModelLimits.price.upperBound).contains(amount) {
            let (least, most) = (Money(lowest, shop), Money(ModelLimits.price.upperBound, shop))
            let detail = "The amount must be from \(least.decimal) to \(most.text)."
            problems.add(field + ".amount", .outOfRange, detail)
        }
        return problems
    }
}

extension InvalidField {
    /// The problems of a text, which must not be blank.
    ///
    /// - Parameter length: the allowed length in Unicode scalars.
    static func text(_ field: String, _ value: String, length: ClosedRange<Int>) -> [InvalidField] {
        if length.contains(value.unicodeScalars.count), !value.allSatisfy(\.isWhitespace), !value.contains("\0") {
            return []
        }
        let detail = "\(field) must have \(length.lowerBound) to \(length.upperBound) characters."
        return [InvalidField(field, .outOfRange, detail)]
    }

    static func number(_ field: String, _ value: Int, in range: ClosedRange<Int>) -> [InvalidField] {
        guard !range.contains(value) else { return [] }
        return [InvalidField(field, .outOfRange, "\(field) must be from \(range.lowerBound) to \(range.upperBound).")]
    }

    /// The problems of a period, which may be open at either end.
    static func period(startsAt: Date?, endsAt: Date?) -> [InvalidField] {
        let problems = year("startsAt", startsAt) + year("endsAt", endsAt)
        guard problems.isEmpty else { return problems }
        guard let startsAt, let endsAt, endsAt <= startsAt else { return [] }
        return [InvalidField("endsAt", .outOfRange, "The end must be after the start.")]
    }

    /// The problems of an end that is set at a time; nil for no end.
    static func end(_ field: String, _ end: Date?, after now: Date) -> [InvalidField] {
        let problems = year(field, end)
        guard problems.isEmpty, let end, end <= now else { return problems }
        return [InvalidField(field, .outOfRange, "The end must be in the future.")]
    }

    /// The problems of a time outside the years that the shop can store.
    static func year(_ field: String, _ time: Date?) -> [InvalidField] {
        guard let time, !ModelLimits.times.contains(time) else { return [] }
        return [InvalidField(field, .outOfRange, "The year must be from 1970 to 9999.")]
    }
}
