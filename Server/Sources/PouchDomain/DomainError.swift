import Foundation
import PouchEntities

/// A refusal by the rules of the shop. Nothing of the requested change remains.
public enum DomainError: Error, Sendable, Equatable {
    case invalid([InvalidField])

    case emailTaken
    /// The same whether or not the account exists.
    case invalidCredentials
    /// The caller is signed in, and confirms the account's password with another one.
    case wrongPassword
    /// The password is right, and the account has a second factor.
    case secondFactorRequired
    case secondFactorInvalid
    case secondFactorEnabled
    /// The shop's staff needs a second factor.
    case secondFactorNeeded
    case apiKeyInvalid
    /// The text says what is missing.
    case forbidden(String)
    case freshSignInRequired
    case lastOwner
    case tooManyAttempts(retryAfterSeconds: Int)
    case tooManyRequests(retryAfterSeconds: Int)
    /// Of the buyer, the card or the network.
    case tooManyDeclines(retryAfterSeconds: Int)
    case unauthenticated
    case tokenExpired
    /// The session of the token has been ended.
    case tokenReused
    case alreadyVerified
    /// The shop asks for a verified e-mail address here.
    case emailUnverified

    /// Also for resources of another owner.
    case notFound
    case limitReached

    case unknownSKU(String)
    case outOfStock([StockShortfall])
    /// Products that are not published, or variants that were taken away.
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
    /// The total is not what the buyer saw; the changes name the known reasons.
    case priceChanged([CartChange])

    /// The provider failed; nothing was charged.
    case paymentProviderFailed
    case notCancellable
    /// The amount exceeds what is left of the charge.
    case refundExceedsCapture

    case statusConflict(from: ProductStatus, to: ProductStatus)
    /// Another product has the handle.
    case handleTaken
    /// Another product has the SKU.
    case skuTaken(String)
    /// Products are still of the category, season or theme.
    case stillUsed
    case invalidPicture(PictureFile.Refusal)

    /// Another discount has the code.
    case codeTaken
    /// Fewer units would be left than orders hold.
    case stockNegative(available: Int)
    case notFulfillable
    case notDeliverable

    /// The delivery method needs the location of the address.
    case locationRequired
    /// The order is on its way, or its delivery has not failed.
    case deliverySettled

    /// An order is followed by as many clients as may be.
    case tooManyFollowers

    /// The event of a delivery is no longer kept.
    case eventExpired
    /// No event with the id is kept.
    case unknownEvent
    /// The token of a mail was not made by this shop, was used, or what it opened is gone.
    case linkInvalid
    /// The link to an order is old.
    case linkExpired

    case idempotencyKeyReused
    case idempotencyKeyInUse

    /// One invalid field.
    static func invalid(_ field: String, _ reason: InvalidField.Reason, _ detail: String) -> DomainError {
        .invalid([InvalidField(field, reason, detail)])
    }
}

/// A problem with one value of a request.
public struct InvalidField: Sendable, Equatable {
    /// The path of the field, as in `address.city`.
    public let field: String
    public let reason: Reason
    /// One sentence for people.
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
            problems.append(InvalidField(field + ".currency", .invalid, "The shop's currency is \(shop.code)."))
        }
        if !(lowest...ModelLimits.price.upperBound).contains(amount) {
            let (least, most) = (Money(lowest, shop), Money(ModelLimits.price.upperBound, shop))
            let detail = "The amount must be from \(least.decimal) to \(most.text)."
            problems.append(InvalidField(field + ".amount", .outOfRange, detail))
        }
        return problems
    }
}

extension InvalidField {
    /// The years that both databases and RFC 3339 can represent.
    private static let times = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// The problems of a text that people write, which must not be blank.
    ///
    /// - Parameter length: in Unicode scalars.
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
        return [InvalidField("endsAt", .outOfRange, "The end must come after the beginning.")]
    }

    /// The problems of an end that is set at a time, from which on it counts; nil for no end.
    static func end(_ field: String, _ end: Date?, after now: Date) -> [InvalidField] {
        let problems = year(field, end)
        guard problems.isEmpty, let end, end <= now else { return problems }
        return [InvalidField(field, .outOfRange, "The end must lie in the future.")]
    }

    private static func year(_ field: String, _ time: Date?) -> [InvalidField] {
        guard let time, !times.contains(time) else { return [] }
        return [InvalidField(field, .outOfRange, "The year must be from 1970 to 9999.")]
    }
}
