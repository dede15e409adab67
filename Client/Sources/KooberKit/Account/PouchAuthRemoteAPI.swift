import PouchEntities
import PouchManagers

/// The accounts on a Pouch server.
public actor PouchAuthRemoteAPI: AuthRemoteAPI {
    private let account: AccountManager
    private var signedOut: Set<UserSession.ID> = []

    public init(account: AccountManager) {
        self.account = account
    }

    public func signIn(email: String, password: Secret) async throws -> UserSession {
        try await startSession { () throws(DataError) in
            try await account.signIn(email: email, password: password.text)
        }
    }

    public func signUp(account new: NewAccount) async throws -> UserSession {
        try await startSession { () throws(DataError) in
            try await account.signUp(
                name: new.name, email: new.email, mobileNumber: new.mobileNumber.isEmpty ? nil : new.mobileNumber,
                password: new.password.text)
        }
    }

    public func signOut(userSession: UserSession) async throws {
        guard try await account.restore()?.id == userSession.id else { return }
        signedOut.insert(userSession.id)
        try await account.signOut()
    }

    public nonisolated func end(of userSession: UserSession) -> AsyncStream<Void> {
        AsyncStream { continuation in
            let task = Task { [account] in
                _ = try? await account.restore()
                for await session in account.sessions() where session?.id != userSession.id {
                    if await !isSignedOut(userSession) { continuation.yield() }
                    break
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func isSignedOut(_ userSession: UserSession) -> Bool {
        signedOut.contains(userSession.id)
    }

    private func startSession(
        _ request: () async throws(DataError) -> UserSession
    ) async throws(DataError) -> UserSession {
        do throws(DataError) {
            return try await request()
        } catch {
            // The manager uses a session that it could not store. The caller reports a failure, so that it has to end.
            if error.reason == .sessionStorage { try? await account.signOut() }
            throw error
        }
    }
}
