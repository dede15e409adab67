import Foundation

/// Makes effects happen once: the record of a request is written in the transaction of its effect.
public struct Idempotency: Sendable {
    /// For how long an answer is given again.
    public static let lifetime: TimeInterval = 24 * 3600

    private let time: any TimeSource

    public init(time: any TimeSource) {
        self.time = time
    }

    /// To be called first in the transaction of an effect. Writes that the request is running, unless it was sent before.
    ///
    /// - Parameter orderId: the order that the request is about, where it takes more than one transaction.
    /// - Returns: the answer that the first request got; nil when this is the first.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    public func begin(
        _ request: IdempotencyRecord.Request?, orderId: String? = nil, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        guard let request else { return nil }
        let record = IdempotencyRecord(request: request, answer: nil, createdAt: time.now)
        if try repositories.idempotency.insert(record, orderId: orderId) { return nil }
        guard let first = try repositories.idempotency.record(ownerId: request.ownerId, key: request.key) else {
            throw TransactionConflict()
        }
        if let answer = try answer(of: first, to: request) { return answer }
        try repositories.idempotency.delete(ownerId: request.ownerId, key: request.key)
        return try begin(request, orderId: orderId, in: repositories)
    }

    /// The answer that the request got when it was sent before, for who cannot begin it now.
    ///
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    func earlierAnswer(to request: IdempotencyRecord.Request, in repositories: any Repositories) throws -> StoredAnswer?
    {
        try repositories.idempotency.record(ownerId: request.ownerId, key: request.key).flatMap {
            try answer(of: $0, to: request)
        }
    }

    /// - Returns: nil when it was given too long ago.
    private func answer(
        of first: IdempotencyRecord, to request: IdempotencyRecord.Request
    ) throws(DomainError) -> StoredAnswer? {
        // One that is still running is kept however old it is: its effect may yet come.
        guard first.answer == nil || time.now.timeIntervalSince(first.createdAt) < Self.lifetime else { return nil }
        guard first.request.fingerprint == request.fingerprint else { throw .idempotencyKeyReused }
        guard let answer = first.answer else { throw .idempotencyKeyInUse }
        return answer
    }

    /// To be called in the transaction of the effect, or in that of its end.
    public func complete(
        _ request: IdempotencyRecord.Request?, answer: StoredAnswer, in repositories: any Repositories
    ) throws {
        guard let request else { return }
        try repositories.idempotency.complete(ownerId: request.ownerId, key: request.key, answer: answer)
    }
}
