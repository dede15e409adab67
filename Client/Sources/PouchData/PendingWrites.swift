import Foundation
import PouchContract
import PouchJSON
import PouchService
import Synchronization

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
        case addProduct
        case schedulePrice
        case fulfilOrder
        case deliverOrder
        case refundOrder
        case cancelManagedOrder
        case addOrderNote
        case requestRide
        case cancelRide

        package static let cartEdits: Set<Kind> = [.addCartLine, .setCartLine, .removeCartLine, .clearCart]
        /// The kinds that may charge the customer. Their bodies may contain payment tokens.
        public static let purchases: Set<Kind> = [.checkout, .buyNow]
        /// The kinds that are removed without a notice once they can no longer be sent.
        public static let others = Set(allCases).subtracting(cartEdits).subtracting(purchases)
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

// MARK: Storing

/// Writes with an unknown outcome, each with its idempotency key, in the order in which they were added. In a store on
/// disk they outlive the process.
public protocol PendingWriteStore: Sendable {
    /// Adds a write. One whose key is already stored is ignored.
    func add(_ write: PendingWrite) async throws(StoreError)
    /// Adds a write unless an earlier one asks for the same and was first sent after the moment, or never. This is one
    /// step, so that of two equal writes at once one is added. Returns the earlier write; nil if the new one was added.
    func addUnlessRepeated(_ write: PendingWrite, sentAfter moment: Date) async throws(StoreError) -> PendingWrite?
    /// Sets the date of a write's first try; later dates are ignored. Returns false if the write is not stored, as
    /// after another owner has adopted it.
    func markSent(key: String, of owner: String, at moment: Date) async throws(StoreError) -> Bool
    /// Removes the date of a write's first try, which was never sent after all. An unknown key is ignored.
    func markNeverSent(key: String, of owner: String) async throws(StoreError)
    /// Removes a write. An unknown key is ignored.
    func removeWrite(key: String, of owner: String) async throws(StoreError)
    /// Replaces writes of one owner by another write, or removes them, in one step. Returns false, and changes nothing,
    /// unless all of them were stored.
    func replaceWrites(keys: Set<String>, of owner: String, with write: PendingWrite?) async throws(StoreError) -> Bool
    /// Expires writes that were first sent before the moment. Purchases lose their bodies, which may contain payment
    /// tokens, and so cannot be sent again; all other writes except cart edits are removed. Purchases and cart edits
    /// stay until their owner has been notified.
    func expire(sentBefore moment: Date) async throws(StoreError)
    func pendingWrites(of owner: String) async throws(StoreError) -> [PendingWrite]
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
        case .addProduct: .administration(.products(.add(body: body)))
        case .schedulePrice: .administration(.schedulePrice(body: body))
        case .fulfilOrder: .administration(.fulfil(id: target, body: body))
        case .deliverOrder: .administration(.deliver(id: target))
        case .refundOrder: .administration(.refund(id: target, body: body))
        case .cancelManagedOrder: .administration(.cancel(id: target))
        case .addOrderNote: .administration(.addNote(id: target, body: body))
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

/// Writes that have their effect once: each is stored with its idempotency key before the first try and removed when
/// its outcome is known, so that the key outlives the process.
extension DataManager {
    /// Sends a write under a stored key. While the outcome is unknown, the same call is another try under the same key,
    /// also in a later process.
    ///
    /// - Parameters:
    ///   - subject: an object that the write is about and its request does not name.
    ///   - key: the caller's own key, for a try that is known to be another write.
    func sendOnce<Body: JSONCodable, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>,
        _ kind: PendingWrite.Kind,
        _ target: String? = nil,
        sending body: Body,
        subject: String? = nil,
        key: String? = nil
    ) async throws(DataError) -> Answer {
        try await sendOnce(Answer.self, kind, target, try encode(body), subject, key)
    }

    func sendOnce<Answer: JSONCodable>(
        _ exchange: Exchange<NoBody, Answer>, _ kind: PendingWrite.Kind, _ target: String
    ) async throws(DataError) -> Answer {
        try await sendOnce(Answer.self, kind, target, nil, nil, nil)
    }

    private func sendOnce<Answer: JSONCodable>(
        _ type: Answer.Type, _ kind: PendingWrite.Kind, _ target: String?, _ body: Data?, _ subject: String?,
        _ key: String?
    ) async throws(DataError) -> Answer {
        let now = now()
        let oldest = PendingWrite.oldestReplay(at: now)
        let write = PendingWrite(
            key: key ?? makeKey(), owner: try await owner(), kind: kind, target: target, body: body, subject: subject,
            createdAt: now, firstSentAt: now)
        try await mappingStoreErrors(await store.expire(sentBefore: oldest))
        guard key == nil else {
            let stored = try await mappingStoreErrors(await store.pendingWrites(of: write.owner)).first {
                $0.key == key
            }
            if let stored, !stored.asksForSame(as: write) { throw DataError(.keyReused, log: "\(stored)") }
            try await mappingStoreErrors(await store.add(write))
            return try await send(type, write, isRepeat: stored != nil)
        }
        let earlier = try await mappingStoreErrors(await store.addUnlessRepeated(write, sentAfter: oldest))
        return try await send(type, earlier ?? write, isRepeat: earlier != nil)
    }

    /// Sends a stored write, and removes it as soon as its outcome is known, or when nothing was sent.
    ///
    /// - Parameter isRepeat: whether an earlier try may have had the effect. Then a refusal that does not come from
    ///   looking at this very write leaves the outcome open.
    /// - Throws: `.outcomeUnknown` for a write that is too old to be sent again; it is removed.
    func send<Answer: JSONCodable>(
        _ type: Answer.Type, _ write: PendingWrite, isRepeat: Bool
    ) async throws(DataError) -> Answer {
        guard write.mayBeSent(at: now()) else {
            await removeSettled(write)
            throw DataError(.outcomeUnknown, log: "\(write)")
        }
        if isRepeat { repeatedKeys.withLock { _ = $0.insert(write.key) } }
        do throws(DataError) {
            let options = CallOptions(idempotencyKey: write.key, owner: write.owner)
            let answer = try decode(type, from: try await answer(to: write.path, options))
            await removeSettled(write)
            return answer
        } catch {
            var error = error
            if isRepeat || repeatedKeys.withLock({ $0.contains(write.key) }) { error.reach = .before }
            guard !error.leavesOutcomeOpen else { throw error.leavingOpen(write) }
            if error.wasNeverSent, PendingWrite.Kind.cartEdits.contains(write.kind) {
                // It is sent later: any session may still adopt it, and it does not grow too old.
                try? await store.markNeverSent(key: write.key, of: write.owner)
            } else {
                await removeSettled(write)
            }
            throw error
        }
    }

    /// A failure is ignored: the write is sent again while its key is valid, which has no second effect.
    private func removeSettled(_ write: PendingWrite) async {
        repeatedKeys.withLock { _ = $0.remove(write.key) }
        try? await store.removeWrite(key: write.key, of: write.owner)
    }

    /// Removes a pending write, which is then not sent again.
    public func removePendingWrite(_ write: PendingWrite) async throws(DataError) {
        try await mappingStoreErrors(await store.removeWrite(key: write.key, of: write.owner))
    }
}

extension DataError {
    fileprivate func leavingOpen(_ write: PendingWrite) -> DataError {
        guard PendingWrite.Kind.purchases.contains(write.kind) else { return self }
        var error = self
        error.openPurchase = UnresolvedPurchase(write, canResume: true)
        return error
    }
}
