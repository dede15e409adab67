import Foundation

public protocol SessionRepository {
    func insert(_ session: SessionRecord) throws
    /// - Parameter locking: whether it is to stay as it is until the transaction ends.
    func session(id: String, locking: Bool) throws -> SessionRecord?
    func end(id: String, at: Date) throws
    func endAll(accountId: String, except sessionId: String?, at: Date) throws

    func insert(_ token: RefreshTokenRecord) throws
    func refreshToken(hash: Data) throws -> RefreshTokenRecord?
    func markUsed(hash: Data, at: Date, successorHash: Data, successorKeyId: String) throws

    /// Failed sign-ins under the key since the given time, and when the oldest of them was.
    func failures(key: Data, since: Date) throws -> (count: Int, oldest: Date?)
    func addFailure(key: Data, at: Date) throws
    func clearFailures(key: Data) throws
    /// Forgets the failures of exactly that time.
    func removeFailure(key: Data, at: Date) throws
    /// Forgets failures and refresh tokens that expired before the given time, at most so many of each, and the sessions
    /// that have no token left; of guests also the cart and the uses of discount codes.
    ///
    /// - Returns: whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension SessionRepository {
    /// The session, as long as it goes on.
    ///
    /// - Throws: `DomainError.unauthenticated`.
    func activeSession(id: String, locking: Bool = false) throws -> SessionRecord {
        guard let session = try session(id: id, locking: locking), session.endedAt == nil else {
            throw DomainError.unauthenticated
        }
        return session
    }
}
