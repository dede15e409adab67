import PouchEntities

/// The session as this device keeps it and the service knows it, and in memory once it was read.
public actor KooberUserSessionRepository: UserSessionRepository {
    private let dataStore: any UserSessionDataStore
    private let remoteAPI: any AuthRemoteAPI
    private var userSession: UserSession?
    /// How often somebody has signed in or out.
    private var changes = 0

    public init(dataStore: any UserSessionDataStore, remoteAPI: any AuthRemoteAPI) {
        self.dataStore = dataStore
        self.remoteAPI = remoteAPI
    }

    public func readUserSession() async throws(ErrorMessage) -> UserSession? {
        if let userSession { return userSession }
        do {
            let asOf = changes
            let kept = try await dataStore.readUserSession()
            if asOf == changes {
                userSession = kept
                return kept
            }
        } catch {
            throw ErrorMessage(
                title: "Your session cannot be read",
                message: "What this device keeps of it is damaged or locked. Please sign in again.")
        }
        // Somebody has signed in or out meanwhile, so that what was read may be over.
        return try await readUserSession()
    }

    public func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await begin("Sign-up failed") { try await remoteAPI.signUp(account: newAccount) }
    }

    public func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession {
        try await begin("Sign-in failed") { try await remoteAPI.signIn(email: email, password: password) }
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

    private func begin(
        _ title: String, _ enter: () async throws -> UserSession
    ) async throws(ErrorMessage) -> UserSession {
        do {
            let session = try await enter()
            do {
                try await dataStore.save(userSession: session)
            } catch {
                // Who is told that they are not signed in should not be.
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
        // Afterwards, since it could be read again until it is deleted.
        defer {
            if userSession?.id == session.id { userSession = nil }
            changes += 1
        }
        try await dataStore.delete(userSession: session)
    }
}
