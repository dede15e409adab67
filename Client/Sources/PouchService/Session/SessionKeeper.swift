import Foundation
import PouchWire

/// Holds the session, renews it once for any number of waiting calls, and tells once when it has ended.
///
/// Whoever waits here looks afterwards whether the session is still the one that was meant: somebody may have signed in
/// or out meanwhile.
actor SessionKeeper {
    typealias Renew = @Sendable (_ refreshToken: String) async throws(ServiceError) -> Data

    /// A token is renewed this long before it expires, so that it doesn't expire on its way.
    private static let margin: TimeInterval = 30

    private let now: @Sendable () -> Date
    private let renew: Renew
    private let ended: @Sendable (_ id: String) async -> Void

    private var store: SessionStoreQueue
    private var session: Session?
    /// Whether the store has it; what another process has put there can follow it only then.
    private var isSaved = true
    /// False for a token that was about to expire when it came, so by a clock that differs from the server's; then
    /// only the server's answer tells when it is time.
    private var renewsEarly = true
    private var loading: Task<Data?, any Error>?
    private var isLoaded = false
    /// By refresh token. A renewal that was begun is brought to its end: the token may be spent.
    private let renewals = SharedWork<String, Result<Void, ServiceError>>(endsWithoutAskers: false)

    init(
        store: any SessionStore,
        now: @escaping @Sendable () -> Date,
        renew: @escaping Renew,
        ended: @escaping @Sendable (_ id: String) async -> Void
    ) {
        self.store = SessionStoreQueue(store)
        self.now = now
        self.renew = renew
        self.ended = ended
    }

    /// The session as it is, without a request.
    func stored() async throws(ServiceError) -> Session? {
        try await load()
        return session
    }

    /// A session whose token is good for a request; renewed first where it is about to expire.
    func usable() async throws(ServiceError) -> Session? {
        try await load()
        guard let session else { return nil }
        let expires = session.accessTokenExpiresAt < now().addingTimeInterval(Self.margin)
        return expires && renewsEarly ? try await renewed(insteadOf: session) : session
    }

    /// The session that follows one whose token was refused.
    ///
    /// - Throws: `.sessionEnded` when there is none; what kept the renewal from an answer otherwise.
    func renewed(insteadOf refused: Session) async throws(ServiceError) -> Session {
        if let session, session.accessToken == refused.accessToken {
            let result = await renewals.value(for: session.refreshToken) { await self.renewOnce(session) }
            guard let result else { throw ServiceError(.cancelled) }
            try result.get()
        }
        // What one account asked for must not happen in the name of another that has signed in since. A guest's cart
        // goes over to the account, so a guest's call may.
        guard let session, session.principal == refused.principal || refused.isGuest else {
            throw ServiceError(.sessionEnded)
        }
        return session
    }

    /// Takes a session that the server gave. It is in use even where it could not be saved.
    func adopt(_ raw: Data) async throws(ServiceError) {
        guard let session = Session(raw) else { throw ServiceError(.unreadable("the answer is not a session")) }
        isLoaded = true
        try await take(session)
    }

    /// Forgets a session, unless another has taken its place.
    func forget(_ id: String) async throws(ServiceError) {
        if let session, session.id != id { return }
        isLoaded = true
        session = nil
        do {
            try await store.add { try await $0.clear() }.value
        } catch {
            throw ServiceError(.storage("cannot clear the session: \(error)"))
        }
    }

    private func load() async throws(ServiceError) {
        guard !isLoaded else { return }
        let task = loading ?? store.add { try await $0.load() }
        loading = task
        let raw: Data?
        do {
            raw = try await task.value
        } catch {
            loading = nil
            throw ServiceError(.storage("cannot load the session: \(error)"))
        }
        // Another call may have got here first, or signed in meanwhile.
        guard !isLoaded else { return }
        isLoaded = true
        session = raw.flatMap(Session.init)
    }

    private func take(_ session: Session) async throws(ServiceError) {
        self.session = session
        isSaved = false
        renewsEarly = session.accessTokenExpiresAt >= now().addingTimeInterval(Self.margin)
        do {
            try await store.add { try await $0.save(session.raw) }.value
        } catch {
            throw ServiceError(.storage("cannot save the session: \(error)"))
        }
        if isCurrent(session) { isSaved = true }
    }

    /// Leaves behind the session that follows. Who signs in or out while this is under way counts, and not this.
    private func renewOnce(_ old: Session) async -> Result<Void, ServiceError> {
        do throws(ServiceError) {
            let newer = await renewedElsewhere(old)
            guard isCurrent(old) else { return .success(()) }
            if let newer {
                session = newer
                if newer.id != old.id { await ended(old.id) }
                return .success(())
            }
            let raw = try await renew(old.refreshToken)
            guard let new = Session(raw) else { throw ServiceError(.unreadable("the answer is not a session")) }
            guard isCurrent(old) else { return .success(()) }
            try await take(new)
            return .success(())
        } catch {
            guard error.endsSession, isCurrent(old) else { return .failure(error) }
            session = nil
            _ = await store.add { try await $0.clear() }.result
            await ended(old.id)
            return .failure(error.asSessionEnd)
        }
    }

    /// What another process that shares the store has renewed before us; the old refresh token would be spent.
    private func renewedElsewhere(_ old: Session) async -> Session? {
        guard isSaved, let raw = try? await store.add({ try await $0.load() }).value, let stored = Session(raw),
            stored.refreshToken != old.refreshToken
        else { return nil }
        return stored
    }

    private func isCurrent(_ meant: Session) -> Bool {
        session?.refreshToken == meant.refreshToken
    }
}

extension ServiceError {
    /// Whether the answer to a renewal says that no later one can succeed.
    fileprivate var endsSession: Bool {
        guard status == 401, let code = problem?.code else { return false }
        return [.tokenReused, .tokenExpired, .unauthenticated].contains(code)
    }

    fileprivate var asSessionEnd: ServiceError {
        ServiceError(.sessionEnded, status: status, requestId: requestId, problem: problem)
    }
}
