import Foundation

/// A write with an effect that is to happen once, as it is kept until its outcome is known.
public struct PendingWrite: Sendable, Hashable, Identifiable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case addCartLine
        case setCartLine
        case removeCartLine
        case clearCart
        case checkout
        case buyNow
        case addAddress
        case cancelOrder
        case addDiscount
        case schedulePrice
        case fulfilOrder
        case deliverOrder
        case refundOrder
        case requestRide
        case cancelRide

        package static let cartEdits: Set<Kind> = [.addCartLine, .setCartLine, .removeCartLine, .clearCart]
        package static let purchases: Set<Kind> = [.checkout, .buyNow]
        /// Those that nobody is told of when they can no longer be sent.
        package static let others = Set(allCases).subtracting(cartEdits).subtracting(purchases)
    }

    /// Sent with every try.
    public let key: String
    /// Whose it is; the key protects nobody else's write.
    public let owner: String
    public let kind: Kind
    /// The SKU or id in the path, where the endpoint has one.
    public let target: String?
    /// Sent with every try, byte by byte. May hold a payment token.
    public let body: Data?
    /// What the write was about, beside what is in the request, as the version of a cart.
    public let subject: String?
    public let createdAt: Date
    /// When it was sent for the first time; nil for one that never was.
    public var firstSentAt: Date?

    public var id: String { key }

    public init(
        key: String,
        owner: String,
        kind: Kind,
        target: String? = nil,
        body: Data? = nil,
        subject: String? = nil,
        createdAt: Date,
        firstSentAt: Date? = nil
    ) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.target = target
        self.body = body
        self.subject = subject
        self.createdAt = createdAt
        self.firstSentAt = firstSentAt
    }

    /// Whether a try of one is another try of the other, so that it may bear the same key.
    public func asksForSame(as other: PendingWrite) -> Bool {
        owner == other.owner && kind == other.kind && target == other.target && body == other.body
            && subject == other.subject
    }

    package func owned(by owner: String) -> PendingWrite { changed(owner: owner, body: body) }

    package var withoutBody: PendingWrite { changed(owner: owner, body: nil) }

    private func changed(owner: String, body: Data?) -> PendingWrite {
        PendingWrite(
            key: key, owner: owner, kind: kind, target: target, body: body, subject: subject, createdAt: createdAt,
            firstSentAt: firstSentAt)
    }
}

extension PendingWrite: CustomStringConvertible, CustomReflectable {
    /// Without the body, which may be secret.
    public var description: String { "PendingWrite(\(kind), key \(key))" }

    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
