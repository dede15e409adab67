import PouchData
import PouchEntities

/// Knows who is signed in.
public actor AccountManager {
    private let data: DataManager
    private let current = CurrentValue<UserSession?>(nil)
    private var isRestored = false
    private var guestStart: Task<Result<UserSession, DataError>, Never>?

    public init(data: DataManager) {
        self.data = data
        data.onSessionEnd { [weak self] id in await self?.end(id) }
    }

    /// Who is signed in as far as it is known without waiting: nil before `restore`. Its tokens may have been renewed
    /// since.
    public nonisolated var session: UserSession? { current.value }

    /// Who is signed in, now and after each change.
    public nonisolated func sessions() -> AsyncStream<UserSession?> { current.values() }

    /// Takes up the session that was kept on this device, once; later calls answer with the session as it is.
    @discardableResult
    public func restore() async throws(DataError) -> UserSession? {
        guard !isRestored else { return session }
        let stored = try await data.storedSession()
        // Somebody may have signed in while the store was read.
        guard !isRestored else { return session }
        isRestored = true
        if let stored { current.set(stored) }
        return stored
    }

    /// A guest's cart and orders go over to the new account.
    @discardableResult
    public func signUp(
        name: String, email: String, mobileNumber: String? = nil, password: String
    ) async throws(DataError) -> UserSession {
        _ = await guestStart?.value
        return begin(
            try await data.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password))
    }

    /// A guest's cart and orders go over to the account.
    @discardableResult
    public func signIn(email: String, password: String) async throws(DataError) -> UserSession {
        _ = await guestStart?.value
        return begin(try await data.signIn(email: email, password: password))
    }

    /// The session, or a guest's new one when there is none. Calls at the same time start one guest session.
    @discardableResult
    public func sessionOrGuest() async throws(DataError) -> UserSession {
        if let session = try await restore() { return session }
        let task = guestStart ?? Task { await startGuest() }
        guestStart = task
        return try await task.value.get()
    }

    /// Ends the session. It is forgotten here in any case; one that somebody begins meanwhile stays.
    ///
    /// - Throws: what kept the server from being told, so that the session may live on there until it expires.
    public func signOut() async throws(DataError) {
        _ = await guestStart?.value
        guard let session = try await restore() else { return }
        do throws(DataError) {
            try await data.signOut()
            forget(session.id)
        } catch {
            forget(session.id)
            try await data.forgetSession(id: session.id)
            guard error.reason == .sessionEnded || error.reason == .notSignedIn else { throw error }
        }
    }

    /// The profile as the server has it now.
    ///
    /// - Throws: `.notSignedIn` for nobody, `.forbidden` for a guest.
    public func profile() async throws(DataError) -> Profile {
        try await restore()
        return took(try await data.profile())
    }

    private func took(_ profile: Profile) -> Profile {
        // Somebody else may have signed in meanwhile.
        if let session, session.profile?.id == profile.id {
            current.set(
                UserSession(
                    id: session.id, kind: session.kind, profile: profile, remoteSession: session.remoteSession))
        }
        return profile
    }

    /// - Parameters:
    ///   - mobileNumber: nil keeps it; the empty text clears it.
    ///   - avatarURL: nil keeps it; the empty text clears it.
    @discardableResult
    public func updateProfile(
        name: String? = nil, mobileNumber: String? = nil, avatarURL: String? = nil
    ) async throws(DataError) -> Profile {
        try await restore()
        return took(try await data.updateProfile(name: name, mobileNumber: mobileNumber, avatarURL: avatarURL))
    }

    /// The whole address book, of at most 50.
    public func addresses() async throws(DataError) -> [Address] {
        try await data.addresses().items
    }

    /// The service may have taken up another session since; `restore` finds it.
    private func end(_ id: String) {
        guard session?.id == id else { return }
        isRestored = false
        current.set(nil)
    }

    private func forget(_ id: String) {
        if session?.id == id { current.set(nil) }
    }

    private func begin(_ session: UserSession) -> UserSession {
        isRestored = true
        current.set(session)
        return session
    }

    private func startGuest() async -> Result<UserSession, DataError> {
        defer { guestStart = nil }
        do throws(DataError) {
            return .success(begin(try await data.startGuestSession()))
        } catch {
            return .failure(error)
        }
    }
}
