import PouchEntities

/// The session of the signed-in user: at the service, on this device and in memory.
public protocol UserSessionRepository: AnyObject, Sendable {
    /// Returns the session stored on this device, or nil if the user is signed out.
    func readUserSession() async throws(ErrorMessage) -> UserSession?
    /// Creates the account and signs in.
    func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession
    func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession
    /// Signs out on this device in any case. Throws if the service or the store failed.
    func signOut(userSession: UserSession) async throws(ErrorMessage)
    /// Yields once when the session ends at the service or by another program on this device, and finishes.
    ///
    /// Finishes without an element when the session ends by `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage>
}

/// The input of a sign-up.
public struct NewAccount: Sendable, Hashable {
    public let name: String
    public let email: String
    /// May be empty.
    public let mobileNumber: String
    public let password: Secret

    public init(name: String, email: String, mobileNumber: String, password: Secret) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }
}

/// The accounts at the service.
public protocol AuthRemoteAPI: Sendable {
    func signIn(email: String, password: Secret) async throws -> UserSession
    func signUp(account: NewAccount) async throws -> UserSession
    func signOut(userSession: UserSession) async throws
    /// Yields once, and finishes, when the session ends without `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<Void>
}

/// Stores the session that the service issued, and reads the store once.
public actor KooberUserSessionRepository: UserSessionRepository {
    private let dataStore: any UserSessionDataStore
    private let remoteAPI: any AuthRemoteAPI
    private var userSession: UserSession?
    /// The number of sign-ins and sign-outs, by which a read that they overtook is recognized.
    private var changes = 0

    public init(dataStore: any UserSessionDataStore, remoteAPI: any AuthRemoteAPI) {
        self.dataStore = dataStore
        self.remoteAPI = remoteAPI
    }

    public func readUserSession() async throws(ErrorMessage) -> UserSession? {
        if let userSession { return userSession }
        do {
            let changesBefore = changes
            let stored = try await dataStore.readUserSession()
            if changes == changesBefore {
                userSession = stored
                return stored
            }
        } catch {
            throw ErrorMessage(
                title: "Your session cannot be read",
                message: "Your session on this device is damaged or locked. Please sign in again.")
        }
        // A sign-in or sign-out during the read may have replaced the session.
        return try await readUserSession()
    }

    public func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await startSession("Sign-up failed") { try await remoteAPI.signUp(account: newAccount) }
    }

    public func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession {
        try await startSession("Sign-in failed") { try await remoteAPI.signIn(email: email, password: password) }
    }

    public func signOut(userSession: UserSession) async throws(ErrorMessage) {
        var failure: (any Error)?
        do { try await remoteAPI.signOut(userSession: userSession) } catch { failure = error }
        do { try await forget(userSession) } catch { failure = failure ?? error }
        if let failure { throw ErrorMessage(title: "Signed out on this device only", failure) }
    }

    public nonisolated func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { continuation in
            let task = Task { [remoteAPI] in
                for await _ in remoteAPI.end(of: userSession) {
                    try? await forget(userSession)
                    continuation.yield(
                        ErrorMessage(title: "You were signed out", message: "Your session ended. Please sign in again.")
                    )
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func startSession(
        _ title: String, _ request: () async throws -> UserSession
    ) async throws(ErrorMessage) -> UserSession {
        do {
            let session = try await request()
            do {
                try await dataStore.save(userSession: session)
            } catch {
                // The caller reports a failure, so that no session may remain at the service.
                try? await remoteAPI.signOut(userSession: session)
                throw error
            }
            userSession = session
            changes += 1
            return session
        } catch {
            throw ErrorMessage(title: title, error)
        }
    }

    private func forget(_ session: UserSession) async throws {
        // After the deletion: a read before it would return the session again.
        defer {
            if userSession?.id == session.id { userSession = nil }
            changes += 1
        }
        try await dataStore.delete(userSession: session)
    }
}
