import Foundation
import PouchContract
import PouchJSON
import PouchService
import PouchWire

/// A write that must take effect once, stored until its outcome is known.
public struct PendingWrite: Sendable, Hashable, Identifiable {
    /// The call of the write, by the name of its endpoint.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public init(_ exchange: some AnyExchange) {
            rawValue = exchange.endpoint.name
        }

        public static let addCartLine = Kind(Contract.addCartLine)
        public static let setCartLine = Kind(Contract.setCartLine)
        public static let removeCartLine = Kind(Contract.removeCartLine)
        public static let clearCart = Kind(Contract.clearCart)
        public static let checkout = Kind(Contract.checkout)
        public static let buyNow = Kind(Contract.buyNow)
        public static let requestRide = Kind(Contract.requestRide)

        package static let cartEdits: Set<Kind> = [.addCartLine, .setCartLine, .removeCartLine, .clearCart]
        /// The kinds that may charge the customer. Their bodies may contain payment tokens.
        public static let purchases: Set<Kind> = [.checkout, .buyNow]
        /// The kinds that stay until their owner has been notified. Writes of the others are removed without a notice
        /// once they can no longer be sent.
        public static let noticed = cartEdits.union(purchases)
    }

    /// The idempotency key of every attempt.
    public let key: String
    /// The owner in whose session the write is sent. The key has no meaning for another.
    public private(set) var owner: String
    public let kind: Kind
    /// The SKU or id in the path, if the endpoint has one.
    public let target: String?
    /// The bytes that every attempt sends. May contain a payment token.
    public private(set) var body: Data?
    /// The version of a cart, or another object of the write that its request does not name.
    public let subject: String?
    public let createdAt: Date
    /// The date of the first attempt; nil for a write that was never sent.
    public private(set) var firstSentAt: Date?
    /// The number of attempts that may have taken effect, including those under way.
    public private(set) var attempts: Int

    public var id: String { key }

    /// - Parameter attempts: at least 1 for a write that was sent.
    public init(
        key: String, owner: String, kind: Kind, target: String? = nil, body: Data? = nil, subject: String? = nil,
        createdAt: Date, firstSentAt: Date? = nil, attempts: Int = 0
    ) {
        self.key = key
        self.owner = owner
        self.kind = kind
        self.target = target
        self.body = body
        self.subject = subject
        self.createdAt = createdAt
        self.firstSentAt = firstSentAt
        self.attempts = max(attempts, firstSentAt == nil ? 0 : 1)
    }

    /// The write with another attempt.
    public func attempted(at moment: Date) -> PendingWrite {
        var write = self
        write.firstSentAt = firstSentAt ?? moment
        write.attempts += 1
        return write
    }

    /// The write without an attempt that had no effect. Without any attempt, it was never sent.
    public func withoutAttempt() -> PendingWrite {
        var write = self
        write.attempts = max(0, attempts - 1)
        if write.attempts == 0 { write.firstSentAt = nil }
        return write
    }

    /// Whether both are attempts of the same write, which share one key.
    public func isSameRequest(as other: PendingWrite) -> Bool {
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
///
/// Several attempts may share a write, even at the same time and in several processes. Each is counted before it is
/// sent, and withdrawn if it had no effect, so that none of them can lose track of another's effect.
public protocol PendingWriteStore: Sendable {
    /// Adds a write. One whose key is already stored is ignored.
    func add(_ write: PendingWrite) async throws(StoreError)
    /// Starts an attempt of a write, and adds the write unless it is stored. The stored one has the same key or, if a
    /// date is given, makes the same request and was first sent after that date, or never. This is one step, so that
    /// only one of two concurrent equal writes is added.
    ///
    /// - Returns: the stored write with the new attempt. One with the same key and a different request is returned
    ///   unchanged.
    func beginAttempt(
        of write: PendingWrite, at moment: Date, sentAfter oldest: Date?
    ) async throws(StoreError) -> PendingWrite
    /// Starts an attempt of a stored write, and returns the write with it. Returns nil if the write is not stored, for
    /// example after another owner has adopted it.
    func beginAttempt(key: String, of owner: String, at moment: Date) async throws(StoreError) -> PendingWrite?
    /// Withdraws an attempt that had no effect. If it was the only one, the write is removed, or stays as one that was
    /// never sent. This is one step. Returns the number of other attempts; nil for an unknown key.
    func withdrawAttempt(key: String, of owner: String, keepsUnsent: Bool) async throws(StoreError) -> Int?
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
    /// The call of the write, with the stored bytes; nil if its endpoint no longer exists.
    var call: EndpointCall? {
        Endpoint.named(kind.rawValue).map { EndpointCall($0, target.map { [$0] } ?? [], body: body) }
    }

    /// Whether only the key prevents a second effect. The other kinds have the same effect however often they are sent.
    private var needsKey: Bool { kind == .addCartLine || !Kind.cartEdits.contains(kind) }

    /// The server keeps a key for 24 hours after the first attempt; one hour less allows for clock drift.
    private static let replayWindow: TimeInterval = 23 * 3600
    /// A first attempt further in the future than this shows that the clock was set back, so its age is unknown.
    private static let clockDrift: TimeInterval = 3600

    /// The earliest date of the first attempt of a write that may still be sent again.
    static func oldestReplay(at now: Date) -> Date { now.addingTimeInterval(-replayWindow) }

    /// Whether another attempt is safe. A purchase without its body cannot be sent again.
    public func mayBeSent(at now: Date) -> Bool {
        guard body != nil || !Kind.purchases.contains(kind) else { return false }
        guard needsKey, let firstSentAt else { return true }
        return firstSentAt > Self.oldestReplay(at: now) && firstSentAt < now.addingTimeInterval(Self.clockDrift)
    }
}

/// Writes that take effect once: each is stored with its idempotency key before the first attempt and removed when its
/// outcome is known, so that the key outlives the process.
extension DataManager {
    /// Sends a write with a stored key. While the outcome is unknown, the same call is another attempt with the same
    /// key, also in a later process.
    ///
    /// - Parameters:
    ///   - subject: an object of the write that its request does not name.
    ///   - key: the caller's key. A process without a store may have sent the write with this key, so the outcome is
    ///     unknown until the server responds.
    ///   - isNewKey: whether the caller has just made the key, so that no other process has sent it.
    func sendOnce<Body: JSONCodable, Answer: JSONCodable>(
        _ exchange: Exchange<Body, Answer>, _ target: String? = nil, sending body: Body, subject: String? = nil,
        key: String? = nil, isNewKey: Bool = false
    ) async throws(DataError) -> Answer {
        try await sendOnce(
            .init(exchange), target, body: try encode(body), subject: subject, key: key, isNewKey: isNewKey)
    }

    func sendOnce<Answer: JSONCodable>(
        _ exchange: Exchange<NoInput, Answer>, _ target: String
    ) async throws(DataError) -> Answer {
        try await sendOnce(.init(exchange), target)
    }

    private func sendOnce<Answer: JSONCodable>(
        _ kind: PendingWrite.Kind, _ target: String?, body: Data? = nil, subject: String? = nil, key: String? = nil,
        isNewKey: Bool = false
    ) async throws(DataError) -> Answer {
        let hasCallersKey = key != nil && !isNewKey
        let write: PendingWrite
        do throws(DataError) {
            write = try await beginAttempt(kind, target, body: body, subject: subject, key: key)
        } catch {
            throw !hasCallersKey || error.reason == .keyReused ? error : error.afterEarlierCall
        }
        return try await send(Answer.self, write, hasCallersKey: hasCallersKey)
    }

    private func beginAttempt(
        _ kind: PendingWrite.Kind, _ target: String?, body: Data?, subject: String?, key: String?
    ) async throws(DataError) -> PendingWrite {
        let now = now()
        let oldest = PendingWrite.oldestReplay(at: now)
        let new = PendingWrite(
            key: key ?? makeKey(), owner: try await owner(), kind: kind, target: target, body: body, subject: subject,
            createdAt: now)
        try await mappingStoreErrors(await store.expire(sentBefore: oldest))
        let write = try await mappingStoreErrors(
            await store.beginAttempt(of: new, at: now, sentAfter: key == nil ? oldest : nil))
        guard write.isSameRequest(as: new) else { throw DataError(.keyReused, log: "\(write)") }
        return write
    }

    /// Sends a write with an unknown outcome again, with the same bytes and the same key.
    func sendAgain<Answer: JSONCodable>(_ type: Answer.Type, _ write: PendingWrite) async throws(DataError) -> Answer {
        let now = now()
        let stored: PendingWrite?
        do throws(StoreError) {
            stored = try await store.beginAttempt(key: write.key, of: write.owner, at: now)
        } catch {
            throw DataError(error).leavingOpen(write)
        }
        return try await send(type, stored ?? write.attempted(at: now))
    }

    /// Sends a stored write after an attempt was started, and removes it as soon as its outcome is known. An attempt
    /// that had no effect is withdrawn; the outcome of the other attempts is then still unknown.
    ///
    /// - Parameter hasCallersKey: whether there may be attempts that this store does not know.
    /// - Throws: `.outcomeUnknown` for a write that is too old to be sent again; it is removed.
    func send<Answer: JSONCodable>(
        _ type: Answer.Type, _ write: PendingWrite, hasCallersKey: Bool = false
    ) async throws(DataError) -> Answer {
        guard write.mayBeSent(at: now()), let call = write.call else {
            await removeSettled(write)
            throw DataError(.outcomeUnknown, log: "\(write)")
        }
        do throws(DataError) {
            let options = CallOptions(idempotencyKey: write.key, owner: write.owner)
            let answer = try decode(type, from: try await answer(to: call, options))
            await removeSettled(write)
            return answer
        } catch {
            guard !error.mayHaveTakenEffect else { throw error.leavingOpen(write) }
            guard !error.rulesOutEarlierAttempts else {
                await removeSettled(write)
                throw error
            }
            // An edit that was never sent is sent later: any session may still adopt it, and it does not expire.
            let keepsUnsent = error.wasNeverSent && PendingWrite.Kind.cartEdits.contains(write.kind)
            let others = try? await store.withdrawAttempt(key: write.key, of: write.owner, keepsUnsent: keepsUnsent)
            // A write that is no longer stored was settled by another attempt.
            guard others == 0 else { throw error.leavingOpen(write) }
            throw hasCallersKey ? error.afterEarlierCall : error
        }
    }

    /// A failure is ignored: the write is sent again while its key is valid, which has no second effect.
    private func removeSettled(_ write: PendingWrite) async {
        try? await store.removeWrite(key: write.key, of: write.owner)
    }

    /// Removes a pending write, which is then not sent again.
    public func removePendingWrite(_ write: PendingWrite) async throws(DataError) {
        try await mappingStoreErrors(await store.removeWrite(key: write.key, of: write.owner))
    }
}

extension DataError {
    /// The error of a write that may have taken effect with this attempt or another one, and stays stored.
    fileprivate func leavingOpen(_ write: PendingWrite) -> DataError {
        var error = mayHaveTakenEffect ? self : afterEarlierCall
        guard PendingWrite.Kind.purchases.contains(write.kind) else { return error }
        error.openPurchase = UnresolvedPurchase(write, canResume: true)
        return error
    }
}
