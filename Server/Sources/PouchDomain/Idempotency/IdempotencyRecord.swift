import Foundation

/// What is remembered of a request with an idempotency key.
public struct IdempotencyRecord: Sendable, Equatable {
    /// What makes two requests the same: owner and key name the record, the fingerprint stands for method, path and
    /// body.
    public struct Request: Sendable, Equatable {
        public let ownerId: String
        public let key: String
        public let fingerprint: Data

        public init(ownerId: String, key: String, fingerprint: Data) {
            self.ownerId = ownerId
            self.key = key
            self.fingerprint = fingerprint
        }
    }

    public let request: Request
    /// nil while the first request is still running.
    public let answer: StoredAnswer?
    public let createdAt: Date

    public init(request: Request, answer: StoredAnswer?, createdAt: Date) {
        self.request = request
        self.answer = answer
        self.createdAt = createdAt
    }
}
