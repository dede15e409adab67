import PouchData
import PouchEntities

/// Knows who is signed in.
public actor AccountManager {
    private let data: DataManager
    private let current = CurrentValue<UserSession?>(nil)
    private let lost = Broadcast<UserSession>(limit: 1)
    nonisolated let followers = SessionFollowers()
    private var isRestored = false
    private var guestStart: Task<Result<UserSession, DataError>, Never>?
    /// Somebody who is about to sign in or up.
    private var entry: Task<Result<UserSession, DataError>, Never>?
    /// The session that is being ended here, or was.
    private var left: UserSession.ID?

    public init(data: DataManager) {
        self.data = data
        data.onSessionEnd { [weak self] id in await self?.end(id) }
    }

    /// Who is signed in as far as it is known without waiting: nil before `restore`. Its tokens may have been renewed
    /// since.
    public nonisolated var session: UserSession? { current.value }

    /// Who is signed in, now and after each change.
    public nonisolated func sessions() -> AsyncStream<UserSession?> { current.values() }

    /// The sessions of accounts that were ended, and not from here: elsewhere, or by their expiry. The last that ended while
    /// nobody listened waits for the first who does.
    public nonisolated func lostSessions() -> AsyncStream<UserSession> { lost.elements() }

    /// Takes up the session that was kept on this device, once; later calls answer with the session as it is.
    @discardableResult
    public func restore() async throws(DataError) -> UserSession? {
        guard !isRestored else { return session }
        let stored = try await data.storedSession()
        // Somebody may have signed in while the store was read.
        guard !isRestored else { return session }
        isRestored = true
        if let stored { await set(stored) }
        return stored
    }

    /// A guest's cart and orders go over to the new account.
    @discardableResult
    public func signUp(
        name: String, email: String, mobileNumber: String? = nil, password: String
    ) async throws(DataError) -> UserSession {
        try await enter { [data] () throws(DataError) in
            try await data.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        }
    }

    /// A guest's cart and orders go over to the account.
    @discardableResult
    public func signIn(email: String, password: String) async throws(DataError) -> UserSession {
        try await enter { [data] () throws(DataError) in try await data.signIn(email: email, password: password) }
    }

    /// The session, or a guest's new one when there is none. Calls at the same time start one guest session, and none while
    /// somebody is signing in.
    @discardableResult
    public func sessionOrGuest() async throws(DataError) -> UserSession {
        if let session = try await restore() { return session }
        // A guest's session that came after the account's would take its place.
        if let entry {
            guard await entry.valueUnlessCancelled != nil else { throw DataError(.cancelled) }
            return try await sessionOrGuest()
        }
        guard !Task.isCancelled else { throw DataError(.cancelled) }
        let task = guestStart ?? Task { await startGuest() }
        guestStart = task
        guard let result = await task.valueUnlessCancelled else { throw DataError(.cancelled) }
        return try result.get()
    }

    /// Ends the session. It is forgotten here in any case, with all that is kept for its owner on this device; one that
    /// somebody begins meanwhile stays.
    ///
    /// - Throws: what kept the server from being told, so that the session may live on there until it expires.
    public func signOut() async throws(DataError) {
        _ = await guestStart?.value
        guard let session = try await restore() else { return }
        left = session.id
        await followers.tell(.leaving)
        do throws(DataError) {
            try await data.signOut()
            await forget(session)
        } catch {
            await forget(session)
            try await data.forgetSession(id: session.id)
            guard error.reason == .sessionEnded || error.reason == .notSignedIn else { throw error }
        }
    }

    /// Ends every session of the account and removes what identifies the person; its orders stay. What is kept on this
    /// device is removed.
    ///
    /// - Throws: `.invalidCredentials` for another password; nothing is removed then.
    public func deleteAccount(password: String) async throws(DataError) {
        let session = try await restore()
        left = session?.id
        do throws(DataError) {
            try await data.deleteAccount(password: password)
        } catch {
            left = nil
            throw error
        }
        if let session { await forget(session) }
    }

    // MARK: Profile

    /// The profile as the server has it now. Offline, the session's is the one that was seen last.
    ///
    /// - Throws: `.notSignedIn` for nobody, `.forbidden` for a guest.
    public func profile() async throws(DataError) -> Profile {
        try await restore()
        return await took(try await data.profile())
    }

    /// What is nil stays; the empty text clears the mobile number or the avatar.
    @discardableResult
    public func updateProfile(
        name: String? = nil, mobileNumber: String? = nil, avatarURL: String? = nil
    ) async throws(DataError) -> Profile {
        try await restore()
        return await took(
            try await data.updateProfile(name: name, mobileNumber: mobileNumber, avatarURL: avatarURL))
    }

    /// All other sessions of the account end.
    public func changePassword(from current: String, to new: String) async throws(DataError) {
        try await data.changePassword(from: current, to: new)
    }

    // MARK: Addresses

    /// The whole address book, of at most 50.
    public func addresses() async throws(DataError) -> [Address] {
        try await data.addresses().items
    }

    /// Tried again after it ended without a clear outcome, it adds one address.
    ///
    /// - Returns: the address with its id.
    @discardableResult
    public func addAddress(_ address: Address) async throws(DataError) -> Address {
        try await data.addAddress(address)
    }

    /// Adds an address to the book unless it is there already. Of one that is, a location that it comes with is noted.
    public func rememberAddress(_ address: Address) async throws(DataError) {
        let new = address.at(address.location)
        guard let known = try await addresses().first(where: { $0.at(nil) == new.at(nil) }) else {
            try await addAddress(new)
            return
        }
        guard let id = known.id, let location = new.location, location != known.location else { return }
        try await updateAddress(id: id, to: new)
    }

    /// Replaces every field of the address that has this id; those that are nil are cleared.
    @discardableResult
    public func updateAddress(id: String, to address: Address) async throws(DataError) -> Address {
        try await data.updateAddress(id: id, to: address)
    }

    public func removeAddress(id: String) async throws(DataError) {
        try await data.deleteAddress(id: id)
    }

    // MARK: The session

    private func took(_ profile: Profile) async -> Profile {
        // Somebody else may have signed in meanwhile.
        if let session, session.profile?.id == profile.id, session.profile != profile {
            await set(
                UserSession(
                    id: session.id, kind: session.kind, profile: profile, remoteSession: session.remoteSession))
        }
        return profile
    }

    /// One after the other. The caller's cancellation reaches the call.
    private func enter(
        _ call: @escaping @Sendable () async throws(DataError) -> UserSession
    ) async throws(DataError) -> UserSession {
        while let entry {
            guard await entry.valueUnlessCancelled != nil else { throw DataError(.cancelled) }
        }
        let task = Task { await entered(by: call) }
        entry = task
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    private func entered(
        by call: @Sendable () async throws(DataError) -> UserSession
    ) async -> Result<UserSession, DataError> {
        defer { entry = nil }
        _ = await guestStart?.value
        do throws(DataError) {
            try await restore()
            await followers.tell(.leaving)
            return .success(await begin(try await call()))
        } catch {
            return .failure(await taken(error))
        }
    }

    /// The service may have taken up another session since; `restore` finds it. What is kept for an account waits for it to
    /// sign in again; a guest does not come back.
    private func end(_ id: String) async {
        guard let session, session.id == id else { return }
        isRestored = false
        await set(nil)
        if session.kind == .guest {
            try? await data.removeEverything(of: session.owner)
        } else if id != left {
            lost.tell(session)
        }
    }

    private func forget(_ session: UserSession) async {
        if self.session?.id == session.id { await set(nil) }
        // The same account may have signed in meanwhile.
        if self.session?.owner != session.owner { try? await data.removeEverything(of: session.owner) }
    }

    private func begin(_ session: UserSession) async -> UserSession {
        isRestored = true
        await set(session)
        return session
    }

    private func set(_ session: UserSession?) async {
        current.set(session)
        await followers.tell(.changed)
    }

    private func startGuest() async -> Result<UserSession, DataError> {
        defer { guestStart = nil }
        do throws(DataError) {
            return .success(await begin(try await data.startGuestSession()))
        } catch {
            return .failure(await taken(error))
        }
    }

    /// A session that could not be kept on this device is in use all the same, until the process ends.
    private func taken(_ error: DataError) async -> DataError {
        if error.reason == .sessionStorage {
            isRestored = false
            _ = try? await restore()
        }
        return error
    }
}

extension Address {
    /// Without its id.
    fileprivate func at(_ location: GeoPoint?) -> Address {
        Address(
            name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }
}
