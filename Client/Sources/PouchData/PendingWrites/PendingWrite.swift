import Foundation
import PouchService

/// A write that must have its effect once, as stored until its outcome is known.
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
        /// The kinds that are removed without a notice once they can no longer be sent.
        package static let others = Set(allCases).subtracting(cartEdits).subtracting(purchases)
    }

    /// The idempotency key of every try.
    public let key: String
    /// The owner in whose session the write is sent. The key has no meaning for another.
    public private(set) var owner: String
    public let kind: Kind
    /// The SKU or id in the path, where the endpoint has one.
    public let target: String?
    /// The bytes that every try sends. May contain a payment token.
    public private(set) var body: Data?
    /// The version of a cart, or another object that the write is about and its request does not name.
    public let subject: String?
    public let createdAt: Date
    /// The date of the first try; nil for a write that was never sent.
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

    /// Whether both are tries of the same write, which share one key.
    func asksForSame(as other: PendingWrite) -> Bool {
        owner == other.owner && kind == other.kind && target == other.target && body == other.body
            && subject == other.subject
    }

    package func owned(by owner: String) -> PendingWrite {
        var write = self
        write.owner = owner
        return write
    }

    package var withoutBody: PendingWrite {
        var write = self
        write.body = nil
        return write
    }
}

extension PendingWrite: CustomStringConvertible, CustomReflectable {
    /// Without the body, which may be secret.
    public var description: String { "PendingWrite(\(kind), key \(key))" }

    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

// MARK: Sending

extension PendingWrite {
    /// The call that the write stands for, with the stored bytes.
    var path: Path {
        let target = target ?? ""
        let body = body ?? Data()
        return switch kind {
        case .addCartLine: .cart(.addLine(body: body))
        case .setCartLine: .cart(.setLine(sku: target, body: body))
        case .removeCartLine: .cart(.removeLine(sku: target))
        case .clearCart: .cart(.clear)
        case .checkout: .cart(.checkout(body: body))
        case .buyNow: .orders(.buyNow(body: body))
        case .addAddress: .account(.addAddress(body: body))
        case .cancelOrder: .orders(.cancel(id: target))
        case .addDiscount: .administration(.addDiscount(body: body))
        case .schedulePrice: .administration(.schedulePrice(body: body))
        case .fulfilOrder: .administration(.fulfil(id: target))
        case .deliverOrder: .administration(.deliver(id: target))
        case .refundOrder: .administration(.refund(id: target, body: body))
        case .requestRide: .rides(.request(body: body))
        case .cancelRide: .rides(.cancel(id: target))
        }
    }

    /// Whether only the key prevents a second effect. The other kinds have the same effect however often they are sent.
    private var needsKey: Bool { kind == .addCartLine || !Kind.cartEdits.contains(kind) }

    /// The server keeps a key for 24 hours from the first try; one hour less allows for clocks that drift.
    private static let replayWindow: TimeInterval = 23 * 3600
    /// A first try further in the future than this shows that the clock was set back, so its age is unknown.
    private static let clockDrift: TimeInterval = 3600

    /// The earliest date of a first try for which a write may be sent again now.
    static func oldestReplay(at now: Date) -> Date { now.addingTimeInterval(-replayWindow) }

    /// Whether another try has at most one effect. A purchase without its body cannot be sent again.
    public func mayBeSent(at now: Date) -> Bool {
        guard body != nil || !Kind.purchases.contains(kind) else { return false }
        guard needsKey, let firstSentAt else { return true }
        return firstSentAt > Self.oldestReplay(at: now) && firstSentAt < now.addingTimeInterval(Self.clockDrift)
    }
}
