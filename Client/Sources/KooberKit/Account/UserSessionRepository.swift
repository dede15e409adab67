import PouchEntities

/// Who is signed in: on this device, at the service, and in memory.
public protocol UserSessionRepository: AnyObject, Sendable {
    /// The session that was kept on this device; nil where nobody is signed in.
    func readUserSession() async throws(ErrorMessage) -> UserSession?
    /// Makes the account, and signs in.
    func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession
    func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession
    /// Signs out on this device in any case; throws where the service could not be told.
    func signOut(userSession: UserSession) async throws(ErrorMessage)
    /// Gives one element, and ends, when the session ends otherwise than by `signOut`: at the service, or by another program
    /// on this device. Ends without one where it ends by `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage>
}
