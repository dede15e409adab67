import Foundation
import PouchContract
import PouchService

/// Writes that have their effect once: each is stored with its idempotency key before the first try and removed when its
/// outcome is known, so that the key outlives the process.
extension DataManager {
    /// Sends a write under a stored key. While the outcome is unknown, the same call is another try under the same key, also
    /// in a later process.
    ///
    /// - Parameters:
    ///   - subject: an object that the write is about and its request does not name.
    ///   - key: the caller's own key, for a try that is known to be another write.
    func sendOnce<Body: Encodable, Answer: Decodable>(
        _ exchange: Exchange<Body, Answer>,
        _ kind: PendingWrite.Kind,
        _ target: String? = nil,
        sending body: Body,
        subject: String? = nil,
        key: String? = nil
    ) async throws(DataError) -> Answer {
        try await sendOnce(Answer.self, kind, target, try encode(body), subject, key)
    }

    func sendOnce<Answer: Decodable>(
        _ exchange: Exchange<NoBody, Answer>, _ kind: PendingWrite.Kind, _ target: String
    ) async throws(DataError) -> Answer {
        try await sendOnce(Answer.self, kind, target, nil, nil, nil)
    }

    private func sendOnce<Answer: Decodable>(
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
            try await mappingStoreErrors(await store.add(write))
            return try await send(type, write, isRepeat: true)
        }
        let earlier = try await mappingStoreErrors(await store.addUnlessRepeated(write, sentAfter: oldest))
        return try await send(type, earlier ?? write, isRepeat: earlier != nil)
    }

    /// Sends a stored write, and removes it as soon as its outcome is known.
    ///
    /// - Parameter isRepeat: whether an earlier try may have had the effect. Then a refusal that does not come from looking
    ///   at this very write leaves the outcome open.
    /// - Throws: `.outcomeUnknown` for a write that is too old to be sent again; it is removed.
    func send<Answer: Decodable>(
        _ type: Answer.Type, _ write: PendingWrite, isRepeat: Bool
    ) async throws(DataError) -> Answer {
        guard write.mayBeSent(at: now()) else {
            await removeSettled(write)
            throw DataError(.outcomeUnknown, log: "\(write)")
        }
        do throws(DataError) {
            let options = CallOptions(idempotencyKey: write.key, owner: write.owner)
            let answer = try decode(type, from: try await answer(to: write.path, options))
            await removeSettled(write)
            return answer
        } catch {
            guard isRepeat ? error.settlesEarlierTries : !error.leavesOutcomeOpen else {
                throw error.leavingOpen(write)
            }
            await removeSettled(write)
            throw error
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
    fileprivate func leavingOpen(_ write: PendingWrite) -> DataError {
        guard PendingWrite.Kind.purchases.contains(write.kind) else { return self }
        var error = self
        error.openPurchase = UnresolvedPurchase(write, canResume: true)
        return error
    }

    /// Whether the shop has looked at this write and refused it, which means that no earlier try under the same key had its
    /// effect. The session is checked before that, and a gateway may refuse without asking the shop.
    fileprivate var settlesEarlierTries: Bool {
        guard !leavesOutcomeOpen, requestId != nil else { return false }
        return switch reason {
        case .sessionEnded, .notSignedIn, .forbidden, .tooManyAttempts, .unexpected: false
        default: true
        }
    }
}
