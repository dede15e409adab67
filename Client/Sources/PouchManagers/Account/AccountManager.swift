import PouchData
import PouchEntities

/// The session of this client: signing up, signing in and out, guests, the profile and the address book.
///
///     try await pouch.account.restore()
///     for await session in pouch.account.sessions() { show(session?.profile?.name ?? "Signed out") }
public actor AccountManager {
    let data: DataManager
    private let current = CurrentValue<UserSession?>(nil)
    private let lost = Broadcast<UserSession>(limit: 1)
    private let unreadable = Broadcast<DataError>(limit: 1)
    /// Whether it is known that the stored session cannot be read.
    private var isUnreadable = false
    nonisolated let followers = SessionFollowers()
    private var isRestored = false
    private var guestStart: Task<Result<UserSession, DataError>, Never>?
    /// The sign-in or sign-up that is under way.
    private var signInTask: Task<Result<UserSession, DataError>, Never>?
    /// The session that this client is ending, or the last one that it ended.
    private var endedSession: UserSession.ID?

    public init(data: DataManager) {
        self.data = data
        data.onSessionEnd { [weak self] id in await self?.sessionDidEnd(id) }
    }

    /// The session as currently known, nil before `restore`. Its tokens may be out of date.
    public nonisolated var session: UserSession? { current.value }

    /// The current session, and again after each change.
    public nonisolated func sessions() -> AsyncStream<UserSession?> { current.values() }

    /// Account sessions that ended without a sign-out here: they expired, or were ended elsewhere. If there is no
    /// subscriber, the last one waits for the first subscriber. Of several subscribers, only the newest receives the
    /// session, so that an app with two scenes shows it once.
    public nonisolated func lostSessions() -> AsyncStream<UserSession> { lost.elements() }

    /// The error if `restore` cannot read the stored session: once, until it can be read. One subscriber receives it,
    /// as with `lostSessions`.
    public nonisolated func unreadableSessions() -> AsyncStream<DataError> { unreadable.elements() }

    /// Loads the session stored on this device, once; later calls return the current session.
    @discardableResult
    public func restore() async throws(DataError) -> UserSession? {
        guard !isRestored else { return session }
        let stored: UserSession?
        do throws(DataError) {
            stored = try await data.storedSession()
        } catch {
            if error.reason == .sessionStorage, !isUnreadable {
                isUnreadable = true
                unreadable.send(error, once: true)
            }
            throw error
        }
        isUnreadable = false
        // A sign-in may have been faster than the store.
        guard !isRestored else { return session }
        isRestored = true
        if let stored { await set(stored) }
        return stored
    }

    /// Creates an account and signs in. The account adopts the guest's cart and orders.
    @discardableResult
    public func signUp(
        name: String, email: String, mobileNumber: String? = nil, password: String
    ) async throws(DataError) -> UserSession {
        try await performSignIn { [data] () throws(DataError) in
            try await data.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        }
    }

    /// Signs in. The account adopts the guest's cart and orders.
    ///
    /// - Parameter code: the code of the second factor, if the account has one: six digits, or a recovery code.
    /// - Throws: `.secondFactorRequired` for the correct password without a code.
    @discardableResult
    public func signIn(email: String, password: String, code: String? = nil) async throws(DataError) -> UserSession {
        try await performSignIn { [data] () throws(DataError) in
            try await data.signIn(email: email, password: password, code: code)
        }
    }

    /// The session, or a new guest session if there is none. Concurrent calls share one guest session; a sign-in under
    /// way comes first.
    @discardableResult
    public func sessionOrGuest() async throws(DataError) -> UserSession {
        do throws(DataError) {
            return try await findOrStartSession()
        } catch {
            // The call that needs the session was not sent.
            throw error.beforeSending
        }
    }

    private func findOrStartSession() async throws(DataError) -> UserSession {
        if let session = try await restore() { return session }
        // A guest session that started after the sign-in would replace the account's session.
        if let signInTask {
            _ = try await signInTask.valueUnlessCancelled
            return try await findOrStartSession()
        }
        guard !Task.isCancelled else { throw DataError(.cancelled) }
        let task = guestStart ?? Task { await startGuest() }
        guestStart = task
        return try await task.valueUnlessCancelled.get()
    }

    /// Ends the session. This device removes the session and the data of its owner even if the call throws; a session
    /// that starts at the same time is kept.
    ///
    /// - Throws: the reason why the server could not be reached. The session may then remain valid there until it
    ///   expires.
    public func signOut() async throws(DataError) {
        _ = await guestStart?.value
        guard let session = try await restore() else { return }
        endedSession = session.id
        await followers.sessionWillChange()
        do throws(DataError) {
            try await data.signOut()
            await forget(session)
        } catch {
            await forget(session)
            try await data.forgetSession(id: session.id)
            guard error.reason == .sessionEnded || error.reason == .notSignedIn else { throw error }
        }
    }

    /// Ends all sessions of the account and removes its personal data, here and at the shop, where the orders remain.
    ///
    /// - Throws: `.wrongPassword`, or `.freshSignInRequired` for an account with a second factor; nothing is removed.
    public func deleteAccount(password: String) async throws(DataError) {
        let session = try await restore()
        endedSession = session?.id
        do throws(DataError) {
            try await data.deleteAccount(password: password)
        } catch {
            endedSession = nil
            throw error
        }
        if let session { await forget(session) }
    }

    // MARK: Profile

    /// The profile from the server. While offline, `session` has the last known one.
    ///
    /// - Throws: `.notSignedIn` without a session, `.forbidden` for a guest.
    public func profile() async throws(DataError) -> Profile {
        try await restore()
        return await take(try await data.profile())
    }

    /// Changes the fields that are not nil. An empty string clears the mobile number or the avatar.
    @discardableResult
    public func updateProfile(
        name: String? = nil, mobileNumber: String? = nil, avatarURL: String? = nil
    ) async throws(DataError) -> Profile {
        try await restore()
        return await take(
            try await data.updateProfile(name: name, mobileNumber: mobileNumber, avatarURL: avatarURL))
    }

    /// Changes the password, and ends all other sessions of the account.
    ///
    /// - Throws: `.wrongPassword` for the current password, `.validation` for the new one, `.tooManyAttempts`;
    ///   `.freshSignInRequired` for an account with a second factor.
    public func changePassword(from current: String, to new: String) async throws(DataError) {
        try await data.changePassword(from: current, to: new)
    }

    // MARK: Addresses

    /// The whole address book, at most 50 addresses.
    public func addresses() async throws(DataError) -> [Address] {
        try await data.addresses().items
    }

    /// Adds an address and returns it with its id. If the outcome is unknown, the call may be repeated and still adds
    /// only one address.
    @discardableResult
    public func addAddress(_ address: Address) async throws(DataError) -> Address {
        try await data.addAddress(address)
    }

    /// Adds an address unless the address book has it. Adds a new location to an address that it has.
    public func rememberAddress(_ address: Address) async throws(DataError) {
        let new = address.at(address.location)
        guard let known = try await addresses().first(where: { $0.at(nil) == new.at(nil) }) else {
            try await addAddress(new)
            return
        }
        guard let id = known.id, let location = new.location, location != known.location else { return }
        try await updateAddress(id: id, to: new)
    }

    /// Replaces every field of the address with this id; nil clears a field.
    @discardableResult
    public func updateAddress(id: String, to address: Address) async throws(DataError) -> Address {
        try await data.updateAddress(id: id, to: address)
    }

    public func removeAddress(id: String) async throws(DataError) {
        try await data.deleteAddress(id: id)
    }

    // MARK: The session

    private func take(_ profile: Profile) async -> Profile {
        // Another account may have signed in since.
        if var session, session.profile?.id == profile.id, session.profile != profile {
            session.profile = profile
            await set(session)
        }
        return profile
    }

    /// Signs in or up, after an earlier attempt has ended. Cancelling the caller cancels the request.
    private func performSignIn(
        _ call: @escaping @Sendable () async throws(DataError) -> UserSession
    ) async throws(DataError) -> UserSession {
        while let signInTask { _ = try await signInTask.valueUnlessCancelled }
        let task = Task { await signInResult(of: call) }
        signInTask = task
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    private func signInResult(
        of call: @Sendable () async throws(DataError) -> UserSession
    ) async -> Result<UserSession, DataError> {
        defer { signInTask = nil }
        _ = await guestStart?.value
        return await adoptSession { () throws(DataError) in
            try await restore()
            await followers.sessionWillChange()
            return try await call()
        }
    }

    private func startGuest() async -> Result<UserSession, DataError> {
        defer { guestStart = nil }
        return await adoptSession { () throws(DataError) in try await data.startGuestSession() }
    }

    /// Adopts the session that a call starts. One that this device could not store stays in use until the process ends.
    private func adoptSession(
        from call: () async throws(DataError) -> UserSession
    ) async -> Result<UserSession, DataError> {
        do throws(DataError) {
            let session = try await call()
            isRestored = true
            await set(session)
            return .success(session)
        } catch {
            if error.reason == .sessionStorage {
                isRestored = false
                _ = try? await restore()
            }
            return .failure(error)
        }
    }

    /// The service may have adopted another session since, which `restore` finds. The data of an account is kept for
    /// its next sign-in; a guest does not return.
    private func sessionDidEnd(_ id: String) async {
        guard let session, session.id == id else { return }
        isRestored = false
        await set(nil)
        if session.kind == .guest {
            try? await data.removeEverything(of: session.owner)
        } else if id != endedSession {
            lost.send(session, once: true)
        }
    }

    private func forget(_ session: UserSession) async {
        if self.session?.id == session.id { await set(nil) }
        // The same account may have signed in again.
        if self.session?.owner != session.owner { try? await data.removeEverything(of: session.owner) }
    }

    private func set(_ session: UserSession?) async {
        current.set(session)
        await followers.sessionDidChange()
    }
}

extension Address {
    /// The address without its id, at another location.
    fileprivate func at(_ location: GeoPoint?) -> Address {
        Address(
            name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }
}
