import KooberTexts
import PouchEntities
import PouchManagers

/// The accounts at the service.
public protocol AuthRemoteAPI: AnyObject, Sendable {
    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession
    /// Creates the account and signs in.
    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession
    func signOut(_ userSession: UserSession) async throws(ErrorMessage)
    /// Yields once, and finishes, when the session ends at the service or by another program on this device.
    ///
    /// Finishes without an element when the session ends by `signOut`.
    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage>
    /// Sets the function that stores a session with renewed tokens; it replaces an earlier one. The call that renewed
    /// them waits for it, because the previous tokens are used up.
    func onRenewal(_ store: @escaping SessionWriter)
}

/// Stores a session. The app has one such writer.
public typealias SessionWriter = @Sendable (UserSession) async throws -> Void

/// The accounts on a Pouch server.
public final class PouchAuthRemoteAPI: AuthRemoteAPI {
    private let account: AccountManager
    private let setRenewalWriter: @Sendable (@escaping SessionWriter) -> Void
    private let signedOut = SignedOutSessions()

    /// - Parameter setRenewalWriter: sets the writer of sessions whose tokens the SDK has renewed.
    public init(account: AccountManager, setRenewalWriter: @escaping @Sendable (@escaping SessionWriter) -> Void) {
        self.account = account
        self.setRenewalWriter = setRenewalWriter
    }

    public func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await startSession(.signInFailed) { () throws(DataError) in
            try await account.signIn(email: credentials.email, password: credentials.password.text)
        }
    }

    public func signUp(_ new: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await startSession(.signUpFailed) { () throws(DataError) in
            try await account.signUp(
                name: new.name, email: new.email, mobileNumber: new.mobileNumber.isEmpty ? nil : new.mobileNumber,
                password: new.password.text)
        }
    }

    public func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        do {
            guard try await account.restore()?.id == userSession.id else { return }
            await signedOut.insert(userSession.id)
            try await account.signOut()
        } catch {
            throw ErrorMessage(title: .signedOutHereOnly, error)
        }
    }

    public func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { continuation in
            let task = Task { [account, signedOut] in
                _ = try? await account.restore()
                for await session in account.sessions() where session?.id != userSession.id {
                    if await !signedOut.contains(userSession.id) { continuation.yield(.endOfSession) }
                    break
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    public func onRenewal(_ store: @escaping SessionWriter) { setRenewalWriter(store) }

    private func startSession(
        _ title: Phrase, _ request: () async throws(DataError) -> UserSession
    ) async throws(ErrorMessage) -> UserSession {
        do {
            return try await request()
        } catch {
            throw ErrorMessage(title: title, error)
        }
    }
}

/// The sessions that the user ended on this device.
private actor SignedOutSessions {
    private var ids: Set<UserSession.ID> = []

    func insert(_ id: UserSession.ID) { ids.insert(id) }

    func contains(_ id: UserSession.ID) -> Bool { ids.contains(id) }
}

extension ErrorMessage {
    fileprivate static var endOfSession: ErrorMessage {
        ErrorMessage(title: .signedOut, message: .sessionEndedAdvice)
    }
}
