import KooberTexts
import PouchEntities

/// The session of the signed-in user: at the service, on this device and in memory.
///
/// It is one of two ways to use the model layer. An architecture without repositories calls `AuthRemoteAPI` and
/// `UserSessionDataStore` itself.
public protocol UserSessionRepository: AnyObject, Sendable {
    /// Returns the session stored on this device, or nil if the user is signed out.
    func readUserSession() async throws(ErrorMessage) -> UserSession?
    /// Creates the account and signs in.
    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession
    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession
    /// Signs out on this device in any case. Throws if the service or the store failed.
    func signOut(_ userSession: UserSession) async throws(ErrorMessage)
    /// Yields once when the session ends at the service or by another program on this device, and finishes.
    ///
    /// Finishes without an element when the session ends by `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage>
}

/// Stores the session that the service issued, and reads the store once. It is the only writer of the store.
public actor KooberUserSessionRepository: UserSessionRepository {
    private let dataStore: any UserSessionDataStore
    private let remoteAPI: any AuthRemoteAPI
    private var userSession: UserSession?
    /// The number of sign-ins and sign-outs, used to detect a read that they overtook.
    private var changes = 0

    public init(dataStore: any UserSessionDataStore, remoteAPI: any AuthRemoteAPI) {
        self.dataStore = dataStore
        self.remoteAPI = remoteAPI
        remoteAPI.onRenewal { [weak dataStore] in try await dataStore?.save($0) }
    }

    public func readUserSession() async throws(ErrorMessage) -> UserSession? {
        if let userSession { return userSession }
        let changesBefore = changes
        let stored = try await dataStore.readUserSession()
        // A sign-in or sign-out during the read may have replaced the session.
        guard changes == changesBefore else { return try await readUserSession() }
        userSession = stored
        return stored
    }

    public func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await keep(try await remoteAPI.signUp(account), orFailWith: .signUpFailed)
    }

    public func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await keep(try await remoteAPI.signIn(credentials), orFailWith: .signInFailed)
    }

    public func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        var failure: ErrorMessage?
        do { try await remoteAPI.signOut(userSession) } catch { failure = error }
        do { try await forget(userSession) } catch { failure = failure ?? error }
        if let failure { throw failure }
    }

    public nonisolated func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { continuation in
            let task = Task { [remoteAPI] in
                for await end in remoteAPI.end(of: userSession) {
                    try? await forget(userSession)
                    continuation.yield(end)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func keep(_ session: UserSession, orFailWith title: Phrase) async throws(ErrorMessage) -> UserSession {
        do {
            try await dataStore.save(session)
        } catch {
            // The caller reports a failure, so no session may remain at the service.
            try? await remoteAPI.signOut(session)
            throw ErrorMessage(title: title, message: error.message)
        }
        userSession = session
        changes += 1
        return session
    }

    private func forget(_ session: UserSession) async throws(ErrorMessage) {
        // After the deletion: a read before it would return the session again.
        defer {
            if userSession?.id == session.id { userSession = nil }
            changes += 1
        }
        try await dataStore.delete(session)
    }
}
