import PouchEntities

/// Where the session outlives the process.
public protocol UserSessionDataStore: AnyObject, Sendable {
    func readUserSession() async throws -> UserSession?
    /// Of one session, later tokens are never replaced by earlier ones: such a call does nothing. Neither does one with the
    /// session that is kept.
    func save(userSession: UserSession) async throws
    /// Does nothing where another session is kept.
    func delete(userSession: UserSession) async throws
}
