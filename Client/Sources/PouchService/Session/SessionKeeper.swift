import Foundation
import PouchJSON
import PouchNetwork
import PouchWire

/// Holds the session, refreshes it once for any number of waiting calls, and reports its end once. A customer may sign
/// in or out while a call waits here, so each call checks afterwards that the session is still the one it was made for.
actor SessionKeeper {
    typealias Refresh = @Sendable (_ refreshToken: String) async throws(ServiceError) -> Data

    /// A token is refreshed this long before it expires, so that it does not expire in transit.
    private static let margin: TimeInterval = 30

    private let now: @Sendable () -> Date
    private let refresh: Refresh
    private let endHandler = HandlerSlot<@Sendable (_ id: String) async -> Void>()

    private var store: SessionStoreQueue
    private var session: Session?
    /// Whether the store has the session. Only then can a session that another process stores be its successor.
    private var isSaved = true
    /// False if the token was about to expire on arrival, which means that this clock differs from the server's. Then
    /// only the server's refusal causes a refresh.
    private var refreshesEarly = true
    private var loading: Task<Data?, any Error>?
    private var isLoaded = false
    /// The running refreshes by refresh token. A refresh is completed once it has started, because it may use up the
    /// token.
    private let refreshes = SharedWork<String, Result<Void, ServiceError>>(endsWithoutWaiters: false)

    init(store: any SessionStore, now: @escaping @Sendable () -> Date, refresh: @escaping Refresh) {
        self.store = SessionStoreQueue(store)
        self.now = now
        self.refresh = refresh
    }

    /// Sets the handler for sessions that the server ends or another process replaces, from any thread.
    nonisolated func onSessionEnd(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        endHandler.set(handler)
    }

    /// The current session, without a request.
    func stored() async throws(ServiceError) -> Session? {
        try await load()
        return session
    }

    /// The session with a token that is valid for a request; refreshes it first if it is about to expire.
    func usable() async throws(ServiceError) -> Session? {
        try await load()
        guard let session else { return nil }
        let expires = session.accessTokenExpiresAt < now().addingTimeInterval(Self.margin)
        return expires && refreshesEarly ? try await refreshed(insteadOf: session) : session
    }

    /// The session that replaces one whose token was refused.
    ///
    /// - Throws: `.sessionEnded` if there is none; otherwise the failure of the refresh.
    func refreshed(insteadOf refused: Session) async throws(ServiceError) -> Session {
        if let session, session.accessToken == refused.accessToken {
            let result = await refreshes.value(for: session.refreshToken) { await self.refreshOnce(session) }
            guard let result else { throw ServiceError(.network(.cancelled)) }
            try result.get()
        }
        // The call of one account must not be sent for another that has signed in since. A guest's call may, because a
        // guest's cart moves to the account.
        guard let session, session.principal == refused.principal || refused.isGuest else {
            throw ServiceError(.sessionEnded)
        }
        return session
    }

    /// Adopts a session from the server. Instead of a new guest session, adopts the session that another process has
    /// saved in the meantime. The session is used even if it could not be saved.
    func adopt(_ raw: Data) async throws(ServiceError) {
        guard let session = Session(raw) else { throw ServiceError(.unreadable("the response is not a session")) }
        isLoaded = true
        guard session.isGuest, self.session == nil else { return try await use(session) }
        let other = await savedElsewhere(insteadOf: session)
        // A user may have signed in while the store was read.
        guard self.session == nil else { return }
        guard let other else { return try await use(session) }
        self.session = other
        isSaved = true
    }

    /// Saves the session of a new guest, unless another process sharing the store has saved one in the meantime.
    ///
    /// - Returns: the other session.
    private func savedElsewhere(insteadOf new: Session) async -> Session? {
        guard let raw = try? await store.add({ try await $0.saveUnlessSaved(new.raw) }).value, raw != new.raw else {
            return nil
        }
        return Session(raw)
    }

    /// Removes a session, unless another has replaced it.
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
        // While this call waited, another may have loaded the session or signed in.
        guard !isLoaded else { return }
        isLoaded = true
        session = raw.flatMap(Session.init)
    }

    private func use(_ session: Session) async throws(ServiceError) {
        self.session = session
        isSaved = false
        refreshesEarly = session.accessTokenExpiresAt >= now().addingTimeInterval(Self.margin)
        do {
            try await store.add { try await $0.save(session.raw) }.value
        } catch {
            throw ServiceError(.storage("cannot save the session: \(error)"))
        }
        if isCurrent(session) { isSaved = true }
    }

    /// Replaces the session with its successor. Has no effect on the session of a customer who signs in or out while
    /// this runs.
    private func refreshOnce(_ old: Session) async -> Result<Void, ServiceError> {
        do throws(ServiceError) {
            let newer = await refreshedElsewhere(old)
            guard isCurrent(old) else { return .success(()) }
            if let newer {
                session = newer
                if newer.id != old.id { await reportEnd(of: old) }
                return .success(())
            }
            let raw = try await refresh(old.refreshToken)
            guard let new = Session(raw) else { throw ServiceError(.unreadable("the response is not a session")) }
            guard isCurrent(old) else { return .success(()) }
            try await use(new)
            return .success(())
        } catch {
            guard error.endsSession, isCurrent(old) else { return .failure(error) }
            session = nil
            _ = await store.add { try await $0.clear() }.result
            await reportEnd(of: old)
            return .failure(error.asSessionEnd)
        }
    }

    /// The session that another process sharing the store has already refreshed, which makes the old refresh token
    /// useless.
    private func refreshedElsewhere(_ old: Session) async -> Session? {
        guard isSaved, let raw = try? await store.add({ try await $0.load() }).value, let stored = Session(raw),
            stored.refreshToken != old.refreshToken
        else { return nil }
        return stored
    }

    private func isCurrent(_ expected: Session) -> Bool {
        session?.refreshToken == expected.refreshToken
    }

    private func reportEnd(of session: Session) async {
        await endHandler.handler?(session.id)
    }
}

extension ServiceError {
    /// Whether the response to a refresh means that no later one can succeed.
    fileprivate var endsSession: Bool {
        guard status == 401, let code = problem?.code else { return false }
        return [.tokenReused, .tokenExpired, .unauthenticated].contains(code)
    }

    fileprivate var asSessionEnd: ServiceError {
        ServiceError(.sessionEnded, status: status, requestId: requestId, problem: problem)
    }
}

/// The raw JSON of a session, and the few fields that the wrapper needs.
struct Session: Sendable {
    let raw: Data
    /// The session's id, which does not change when the tokens are refreshed.
    let id: String
    let isGuest: Bool
    /// The account's id; nil for a guest.
    let principal: String?
    let accessToken: String
    let accessTokenExpiresAt: Date
    let refreshToken: String

    /// The identity under which the server accepts a call. Data stored for one owner is not returned to another.
    var owner: String { principal ?? id }

    /// Returns nil for bytes that are not a session.
    init?(_ raw: Data) {
        guard let json = try? JSON(json: raw), let id = json["id"]?.string, let kind = json["kind"]?.string,
            let tokens = json["remoteSession"], let accessToken = tokens["accessToken"]?.string,
            let accessTokenExpiresAt = tokens["accessTokenExpiresAt"]?.string.flatMap(WireTime.date),
            let refreshToken = tokens["refreshToken"]?.string
        else { return nil }
        let profile = json["profile"] ?? .null
        principal = profile["id"]?.string
        guard profile == .null || principal != nil else { return nil }
        self.raw = raw
        self.id = id
        isGuest = kind == "guest"
        self.accessToken = accessToken
        self.accessTokenExpiresAt = accessTokenExpiresAt
        self.refreshToken = refreshToken
    }
}

extension Session: CustomStringConvertible, CustomReflectable {
    var description: String { "Session(expires \(accessTokenExpiresAt))" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
