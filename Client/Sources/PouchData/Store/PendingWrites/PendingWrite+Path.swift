import Foundation
import PouchService

extension PendingWrite {
    /// The call that the write stands for, with the bytes that were kept.
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

    /// Whether only its key keeps a second try from acting twice; the others set what they say, however often.
    private var needsKey: Bool { kind == .addCartLine || !Kind.cartEdits.contains(kind) }

    /// The server keeps a key for 24 hours from the first try; an hour less allows for clocks that drift.
    private static let replayWindow: TimeInterval = 23 * 3600
    /// A first try that lies further ahead than this shows that the clock was set back, so that its age is not known.
    private static let clockDrift: TimeInterval = 3600

    /// The moment after which a write must have been sent first, to be sent again now.
    static func oldestReplay(at now: Date) -> Date { now.addingTimeInterval(-replayWindow) }

    /// Whether a try now can act at most once. A purchase without its body is one that can only be told.
    public func mayBeSent(at now: Date) -> Bool {
        guard body != nil || !Kind.purchases.contains(kind) else { return false }
        guard needsKey, let firstSentAt else { return true }
        return firstSentAt > Self.oldestReplay(at: now) && firstSentAt < now.addingTimeInterval(Self.clockDrift)
    }
}
