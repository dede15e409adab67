import Foundation

/// Makes requests take effect once: the record of a request is written in the transaction of its effect.
public struct Idempotency: Sendable {
    /// The time for which an answer is repeated, in seconds.
    public static let lifetime: TimeInterval = 24 * 3600

    private let time: any TimeSource

    public init(time: any TimeSource) {
        self.time = time
    }

    /// Records that the request is running, unless it was sent before. A transaction with an effect calls this first.
    ///
    /// - Parameter subjectId: the order, refund or import of the request, if its effect takes more than one
    ///   transaction.
    /// - Returns: the answer of the first request; nil if this is the first.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    public func begin(
        _ request: IdempotencyRecord.Request?, subjectId: String? = nil, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        guard let request else { return nil }
        if try repositories.idempotency.insert(request, subjectId: subjectId, at: time.now) { return nil }
        guard let first = try repositories.idempotency.record(ownerId: request.ownerId, key: request.key) else {
            throw TransactionConflict()
        }
        if let answer = try answer(of: first, to: request) { return answer }
        // Another request may have replaced it since.
        try repositories.idempotency.delete(
            ownerId: request.ownerId, key: request.key, createdBefore: time.now.addingTimeInterval(-Self.lifetime))
        return try begin(request, subjectId: subjectId, in: repositories)
    }

    /// The answer to an earlier request, for a caller that cannot begin a new one.
    ///
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`.
    func earlierAnswer(
        to request: IdempotencyRecord.Request, in repositories: any Repositories
    ) throws -> StoredAnswer? {
        let record = try repositories.idempotency.record(ownerId: request.ownerId, key: request.key)
        return try record.flatMap { try answer(of: $0, to: request) }
    }

    /// - Returns: nil when the answer has expired.
    private func answer(
        of first: IdempotencyRecord, to request: IdempotencyRecord.Request
    ) throws(DomainError) -> StoredAnswer? {
        // A running request never expires: its effect may still happen.
        guard first.answer == nil || time.now.timeIntervalSince(first.createdAt) < Self.lifetime else { return nil }
        guard first.request.fingerprint == request.fingerprint else { throw .idempotencyKeyReused }
        guard let answer = first.answer else { throw .idempotencyKeyInUse }
        return answer.replayed
    }

    /// Stores the answer, in the last transaction of the effect.
    public func complete(
        _ request: IdempotencyRecord.Request?, answer: StoredAnswer, in repositories: any Repositories
    ) throws {
        guard let request else { return }
        try repositories.idempotency.complete(ownerId: request.ownerId, key: request.key, answer: answer)
    }

    /// Begins an effect of several transactions in the first of them, unless the request was sent before.
    ///
    /// - Parameter subjectId: the order, refund or import of the request.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`, and the errors of the closure.
    package func effect<Begun>(
        of request: IdempotencyRecord.Request?, subjectId: String, in repositories: any Repositories,
        _ begin: () throws -> Begun
    ) throws -> IdempotentEffect<Begun> {
        if let answer = try self.begin(request, subjectId: subjectId, in: repositories) { return .replay(answer) }
        return .begun(try begin())
    }
}

/// An effect of several transactions, after the first.
package enum IdempotentEffect<Begun: Sendable>: Sendable {
    /// The value that the remaining transactions need.
    case begun(Begun)
    /// The answer to an earlier request.
    case replay(StoredAnswer)

    /// Runs the remaining transactions, even if the client disconnects.
    package func finish(_ end: @escaping @Sendable (Begun) async throws -> StoredAnswer) async throws -> StoredAnswer {
        switch self {
        case .replay(let answer): answer
        case .begun(let begun): try await Task { try await end(begun) }.value
        }
    }
}

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
