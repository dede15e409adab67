import Foundation
import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// Whose session it is: what is kept for the owner is given to nobody else.
    ///
    /// - Throws: `.notSignedIn` for nobody.
    public func owner() async throws(DataError) -> String {
        guard service != nil else { throw DataError(.notOffered) }
        guard let owner = try await knownOwner() else { throw DataError(.notSignedIn) }
        return owner
    }

    /// nil for nobody.
    func knownOwner() async throws(DataError) -> String? {
        try await mappingErrors { () throws(ServiceError) in try await service?.owner() }
    }

    /// Removes what is kept here of an owner, also its pending writes.
    public func removeEverything(of owner: String) async throws(DataError) {
        try await stored { () throws(StoreError) in try await store.removeEverything(of: owner) }
    }

    /// Removes a pending write, which then is not sent again.
    public func removePendingWrite(_ write: PendingWrite) async throws(DataError) {
        try await stored { () throws(StoreError) in try await store.removeWrite(key: write.key, of: write.owner) }
    }

    // MARK: A write that happens once

    /// Sends a write under a key that is kept until the outcome is known. Asking for the same again while it is not, also in
    /// a later process, is another try under the same key.
    ///
    /// - Parameters:
    ///   - subject: what the write is about, beside what is in the request.
    ///   - key: a key of the caller's own, for a try that is known to be another one.
    func once<Body: Encodable, Answer: Decodable>(
        _ exchange: Exchange<Body, Answer>,
        _ kind: PendingWrite.Kind,
        _ target: String? = nil,
        sending body: Body,
        subject: String? = nil,
        key: String? = nil
    ) async throws(DataError) -> Answer {
        try await once(Answer.self, kind, target, try encode(body), subject, key)
    }

    func once<Answer: Decodable>(
        _ exchange: Exchange<NoBody, Answer>, _ kind: PendingWrite.Kind, _ target: String
    ) async throws(DataError) -> Answer {
        try await once(Answer.self, kind, target, nil, nil, nil)
    }

    private func once<Answer: Decodable>(
        _ type: Answer.Type, _ kind: PendingWrite.Kind, _ target: String?, _ body: Data?, _ subject: String?,
        _ key: String?
    ) async throws(DataError) -> Answer {
        let now = now()
        let write = PendingWrite(
            key: key ?? makeKey(), owner: try await owner(), kind: kind, target: target, body: body, subject: subject,
            createdAt: now, firstSentAt: now)
        let earlier = try await stored { () throws(StoreError) in
            try await store.expire(sentBefore: PendingWrite.oldestReplay(at: now))
            guard key == nil else {
                try await store.add(write)
                return nil as PendingWrite?
            }
            return try await store.addUnlessRepeated(write, sentAfter: PendingWrite.oldestReplay(at: now))
        }
        return try await send(type, earlier ?? write, isRepeat: earlier != nil || key != nil)
    }

    // MARK: Sending

    /// Sends a write that is in the store, and removes it as soon as its outcome is known.
    ///
    /// - Parameter isRepeat: whether an earlier try may have had the effect, so that a refusal which does not come from
    ///   looking at this very write leaves the outcome open.
    /// - Throws: `.outcomeUnknown` for one that is too old to be sent again; it is removed.
    func send<Answer: Decodable>(
        _ type: Answer.Type, _ write: PendingWrite, isRepeat: Bool
    ) async throws(DataError) -> Answer {
        guard write.mayBeSent(at: now()) else {
            await settle(write)
            throw DataError(.outcomeUnknown, log: "\(write)")
        }
        do throws(DataError) {
            let options = CallOptions(idempotencyKey: write.key, owner: write.owner)
            let answer = try decode(type, from: try await answer(to: write.path.endpoint, write.path, options))
            await settle(write)
            return answer
        } catch {
            guard isRepeat ? error.settlesEarlierTries : !error.leavesOutcomeOpen else {
                throw error.leavingOpen(write)
            }
            await settle(write)
            throw error
        }
    }

    /// A write that cannot be removed is tried again while its key holds, which does no harm.
    private func settle(_ write: PendingWrite) async {
        try? await store.removeWrite(key: write.key, of: write.owner)
    }
}

extension DataError {
    fileprivate func leavingOpen(_ write: PendingWrite) -> DataError {
        guard PendingWrite.Kind.purchases.contains(write.kind) else { return self }
        var error = self
        error.openPurchase = UnresolvedPurchase(write, canResume: true)
        return error
    }

    /// Whether the shop has looked at this write and refused it: then no earlier try under the same key had its effect.
    /// Who is asking is checked before, and what stands between may refuse without asking the shop.
    fileprivate var settlesEarlierTries: Bool {
        guard !leavesOutcomeOpen, requestId != nil else { return false }
        return switch reason {
        case .sessionEnded, .notSignedIn, .forbidden, .tooManyAttempts, .unexpected: false
        default: true
        }
    }
}
