import Foundation

/// The record of a request with an idempotency key.
public struct IdempotencyRecord: Sendable, Equatable {
    /// The identity of a request: owner and key identify the record, and the fingerprint represents method, path and
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
    /// nil while the first request is running.
    public let answer: StoredAnswer?
    public let createdAt: Date

    public init(request: Request, answer: StoredAnswer?, createdAt: Date) {
        self.request = request
        self.answer = answer
        self.createdAt = createdAt
    }
}

/// The answer to a request, stored with its idempotency record to answer repetitions of the request.
///
/// The services store and return it unread; its content is up to the layer that encodes answers.
public struct StoredAnswer: Sendable, Equatable {
    public let code: Int
    public let format: String
    public let tag: String?
    public let body: Data
    /// Whether it answers a repetition of the request; not stored.
    public private(set) var isReplay = false

    public init(code: Int, format: String, tag: String?, body: Data) {
        self.code = code
        self.format = format
        self.tag = tag
        self.body = body
    }

    package var replayed: StoredAnswer {
        var answer = self
        answer.isReplay = true
        return answer
    }

    /// The record of an answer that is created again for each repetition.
    package var withoutBody: StoredAnswer { StoredAnswer(code: code, format: format, tag: nil, body: Data()) }
}

public protocol IdempotencyRepository {
    func record(ownerId: String, key: String) throws -> IdempotencyRecord?
    /// - Parameter subjectId: the order, refund or import of the request, if its effect takes more than one
    ///   transaction.
    /// - Returns: false, without writing, when the owner has already used the key.
    func insert(_ request: IdempotencyRecord.Request, subjectId: String?, at: Date) throws -> Bool
    /// Stores the answer unless the record has one.
    func complete(ownerId: String, key: String, answer: StoredAnswer) throws
    /// Stores the answer in the records of the subject that have none.
    func complete(subjectId: String, answer: StoredAnswer) throws
    /// Deletes the subject's records without an answer.
    func deleteRunning(subjectId: String) throws
    func delete(ownerId: String, key: String) throws
    /// Deletes the record if it has an answer and was created at that time or before.
    func delete(ownerId: String, key: String, createdBefore moment: Date) throws
    func delete(ownerId: String) throws
    /// Moves the records of one owner to another, except for keys that the other has used.
    func move(from ownerId: String, to newOwnerId: String) throws
    /// Deletes at most `limit` answers older than a time; returns whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}
