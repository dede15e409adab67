import Foundation

/// Makes effects happen once: the record of a request is written in the transaction of its effect.
public struct Idempotency: Sendable {
    /// For how long an answer is given again.
    public static let lifetime: TimeInterval = 24 * 3600

    private let time: any TimeSource

    public init(time: any TimeSource) {
        self.time = time
    }

    /// To be called first in the transaction of an effect.
    ///
    /// - Returns: the answer that the first request got; nil when this is the first.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    public func replay(
        _ request: IdempotencyRecord.Request?, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        guard let request, let record = try repositories.idempotency.record(ownerId: request.ownerId, key: request.key)
        else { return nil }
        // One that is still running is kept however old it is: its effect may yet come.
        guard record.answer == nil || time.now.timeIntervalSince(record.createdAt) < Self.lifetime else {
            try repositories.idempotency.delete(ownerId: request.ownerId, key: request.key)
            return nil
        }
        guard record.request.fingerprint == request.fingerprint else { throw DomainError.idempotencyKeyReused }
        guard let answer = record.answer else { throw DomainError.idempotencyKeyInUse }
        return answer
    }

    /// To be called in the same transaction; without an answer the request counts as running until `complete`.
    public func remember(
        _ request: IdempotencyRecord.Request?,
        answer: StoredAnswer? = nil,
        orderId: String? = nil,
        in repositories: any Repositories
    ) throws {
        guard let request else { return }
        try repositories.idempotency.insert(
            IdempotencyRecord(request: request, answer: answer, createdAt: time.now), orderId: orderId)
    }
}
