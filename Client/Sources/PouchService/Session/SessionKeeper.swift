import Foundation
import PouchWire

/// Holds the session, renews it once for any number of waiting calls, and tells once when it has ended.
actor SessionKeeper {
    typealias Renew = @Sendable (_ refreshToken: String) async throws(ServiceError) -> Data

    /// A token is renewed this long before it expires, so that it doesn't expire on its way.
    private static let margin: TimeInterval = 30

    private let store: any SessionStore
    private let now: @Sendable () -> Date
    private let renew: Renew
    private let ended: @Sendable () async -> Void

    private var session: Session?
    /// False for a token that was about to expire when it came, so by a clock that differs from the server's; then
    /// only the server's answer tells when it is time.
    private var renewsEarly = true
    private var loading: Task<Data?, any Error>?
    private var isLoaded = false
    private var renewal: Task<Result<Session, ServiceError>, Never>?

    init(
        store: any SessionStore,
        now: @escaping @Sendable () -> Date,
        renew: @escaping Renew,
        ended: @escaping @Sendable () async -> Void
    ) {
        self.store = store
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
        guard let session else { throw ServiceError(.sessionEnded) }
        var next = session
        if session.accessToken == refused.accessToken {
            let task = renewal ?? Task { await renewOnce(session) }
            renewal = task
            next = try await task.value.get()
        }
        // What one account asked for must not happen in the name of another that has signed in since. A guest's cart
        // goes over to the account, so a guest's call may.
        guard next.principal == refused.principal || refused.isGuest else { throw ServiceError(.sessionEnded) }
        return next
    }

    /// Takes a session that the server gave. It is in use even where it could not be saved.
    func adopt(_ raw: Data) async throws(ServiceError) {
        guard let session = Session(raw) else { throw ServiceError(.unreadable("the answer is not a session")) }
        isLoaded = true
        try await take(session)
    }

    func forget() async throws(ServiceError) {
        isLoaded = true
        session = nil
        do {
            try await store.clear()
        } catch {
            throw ServiceError(.storage("cannot clear the session: \(error)"))
        }
    }

    private func load() async throws(ServiceError) {
        guard !isLoaded else { return }
        let task = loading ?? Task { [store] in try await store.load() }
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
        renewsEarly = session.accessTokenExpiresAt >= now().addingTimeInterval(Self.margin)
        do {
            try await store.save(session.raw)
        } catch {
            throw ServiceError(.storage("cannot save the session: \(error)"))
        }
    }

    private func renewOnce(_ old: Session) async -> Result<Session, ServiceError> {
        defer { renewal = nil }
        do throws(ServiceError) {
            if let newer = await renewedElsewhere(old) {
                session = newer
                return .success(newer)
            }
            let raw = try await renew(old.refreshToken)
            guard let new = Session(raw) else { throw ServiceError(.unreadable("the answer is not a session")) }
            // Signed in or out while the renewal was under way: that counts.
            guard session?.refreshToken == old.refreshToken else {
                guard let session else { throw ServiceError(.sessionEnded) }
                return .success(session)
            }
            try await take(new)
            return .success(new)
        } catch {
            guard error.endsSession, session?.refreshToken == old.refreshToken else { return .failure(error) }
            session = nil
            try? await store.clear()
            await ended()
            return .failure(error.asSessionEnd)
        }
    }

    /// What another process that shares the store has renewed before us; the old refresh token would be spent.
    private func renewedElsewhere(_ old: Session) async -> Session? {
        guard let raw = try? await store.load(), let stored = Session(raw), stored.refreshToken != old.refreshToken,
            session?.refreshToken == old.refreshToken
        else { return nil }
        return stored
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
