extension Principal {
    /// To be called first in a transaction that writes: the session may have ended, and its cart and orders may have
    /// gone to an account, since the request was let in.
    ///
    /// - Throws: `DomainError.unauthenticated`.
    public func checkSession(in repositories: any Repositories) throws {
        _ = try repositories.sessions.activeSession(id: sessionId)
    }
}
