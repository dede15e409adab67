import PouchEntities

extension Principal {
    /// To be called first in a transaction that reads or writes for the principal: the session may have ended, and its
    /// cart and orders may have gone to an account, since the request was let in.
    ///
    /// - Parameter isolation: the transaction's. Where it reads committed rows, the session is locked.
    /// - Throws: `DomainError.unauthenticated`.
    public func checkSession(_ isolation: Isolation = .serializable, in repositories: any Repositories) throws {
        switch isolation {
        case .serializable: _ = try repositories.sessions.activeSession(id: sessionId)
        case .readCommitted: _ = try lockSession(in: repositories)
        }
    }

    /// The same where the transaction reads committed rows: the session does not end before the transaction does, and
    /// whoever ends it, and takes along what is its own, sees all that the transaction wrote.
    ///
    /// - Throws: `DomainError.unauthenticated`.
    func lockSession(in repositories: any Repositories) throws -> SessionRecord {
        try repositories.sessions.activeSession(id: sessionId, locking: true)
    }
}
