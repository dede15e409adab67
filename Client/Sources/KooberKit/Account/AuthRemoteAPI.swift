import PouchEntities

/// The service, as far as accounts go.
public protocol AuthRemoteAPI: Sendable {
    func signIn(email: String, password: Secret) async throws -> UserSession
    func signUp(account: NewAccount) async throws -> UserSession
    func signOut(userSession: UserSession) async throws
    /// Gives one element, and ends, when the session ends without `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<Void>
}
