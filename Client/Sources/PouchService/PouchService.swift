import Foundation
import PouchNetwork
import PouchWire
import Synchronization

/// Calls one Pouch server: finds the URL, attaches and renews the session's token, and judges the answers.
///
/// What it takes and gives is raw data; it does not know the model.
public final class PouchService: Sendable {
    /// A refresh token that was used may be sent again for 60 s, in which it gets the same answer; an attempt that starts
    /// in the last ten might come too late.
    private static let refreshDeadline = Duration.seconds(50)
    /// After which a connection for events is taken for broken: the server sends something every few seconds.
    private static let longestSilence = Duration.seconds(30)

    private let base: String
    private let network: NetworkSession
    private let timeout: Duration
    private let makeKey: @Sendable () -> String
    private let cache: ResponseCache?
    private let queue: NetworkQueue
    private let keeper: SessionKeeper
    private let observer: SessionObserver

    /// - Parameters:
    ///   - server: scheme, host and port, and the path under which the server stands, if any.
    ///   - cache: answers reads of the catalogue where it may; nil asks the server each time.
    ///   - timeout: for each sending of a request.
    ///   - retries: when a request is sent again. All calls share one budget of retries.
    ///   - bodyLimit: the most bytes of an answer.
    ///   - requestLimit: how many requests run at once; the rest wait by their tasks' priority, and their timeout does not
    ///     run yet. 8 are about what a screen asks for at once: one more is answered sooner over a connection that becomes
    ///     free, in one round trip, than over a new one, in three with TLS. With 64 at most this SDK's transports never
    ///     let one wait for a connection.
    ///   - clock: measures timeouts and pauses.
    ///   - now: the time of day, to which tokens expire.
    ///   - makeKey: makes idempotency keys.
    public init(
        server: URL,
        transport: any Transport,
        sessionStore: any SessionStore,
        cache: ResponseCache? = nil,
        timeout: Duration = .seconds(60),
        retries: RetryPolicy = RetryPolicy(),
        bodyLimit: Int = NetworkBody.standardLimit,
        requestLimit: Int = 8,
        clock: any Clock<Duration> = TimeoutClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        var base = server.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        let network = NetworkSession(
            transport, retries: retries, retryBudget: RetryBudget(), bodyLimit: bodyLimit, clock: clock, now: now)
        self.network = network
        self.timeout = timeout
        self.makeKey = makeKey
        self.cache = cache
        queue = NetworkQueue(limit: requestLimit)
        let observer = SessionObserver()
        self.observer = observer
        keeper = SessionKeeper(
            store: sessionStore,
            now: now,
            renew: { [base] token throws(ServiceError) in
                let target = Path.Account.refreshSession(body: try Self.refreshBody(token)).target
                var request = try Self.request(for: target, at: base, timeout: timeout)
                request.repeatable = true
                var refreshing = network
                refreshing.retries.deadline = min(retries.deadline ?? Self.refreshDeadline, Self.refreshDeadline)
                let operation = NetworkOperation(request, in: refreshing)
                let judge = AnswerJudge(endpoint: target.endpoint, mayBeUnmodified: false, now: now)
                return try judge.judge(await operation.run()).get().data
            },
            ended: { await observer.tell($0) }
        )
    }

    /// Sets who is told, once for each session that the server ends or that another process replaces in the store; a
    /// call that finds out throws after that.
    public func onSessionEnd(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        observer.set(handler)
    }

    /// The session as the server gave it, without a request; nil when nobody is known here.
    public func storedSession() async throws(ServiceError) -> Data? {
        try await keeper.stored()?.raw
    }

    /// Whose session it is, the account's id or that of a guest's session, without a request; nil for nobody.
    public func owner() async throws(ServiceError) -> String? {
        try await keeper.stored()?.owner
    }

    /// Takes a session that the server gave. It is in use even where it could not be saved.
    public func takeUp(_ session: Data) async throws(ServiceError) {
        try await keeper.adopt(session)
    }

    /// Forgets the session here, unless another has taken its place; the server is not told.
    public func forgetSession(id: String) async throws(ServiceError) {
        try await keeper.forget(id)
    }

    /// Makes one call. Waits for a renewal of the session where one is due, and tries a second time where the server
    /// refused the token.
    ///
    /// - Parameter onProgress: for a path that sends a file: told the bytes that were sent so far and those of the whole
    ///   file, from any thread.
    public func call(
        _ path: Path, _ options: CallOptions = CallOptions(),
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(ServiceError) -> ServiceAnswer {
        let target = path.target
        var request = try request(for: target, options)
        if let upload = target.upload {
            request.upload = FileUpload(file: upload.file, onProgress: onProgress)
            request.headers["Content-Type"] = upload.mediaType
            // A large file takes its time; the caller can cancel.
            request.timeout = nil
        }
        let judge = AnswerJudge(
            endpoint: target.endpoint, mayBeUnmodified: options.ifNoneMatch != nil, now: network.now)
        if let cache, options.usesCache, target.endpoint.isCacheable, options.ifNoneMatch == nil {
            return try await cachedAnswer(request, for: target.endpoint, cache)
        }
        var session = try await session(for: target.endpoint)
        try options.admit(session)
        var result = judge.judge(await send(request, with: session))
        if let refused = session, case .failure(let error) = result, error.refusesToken {
            session = try await renewed(insteadOf: refused, for: target.endpoint)
            try options.admit(session)
            result = judge.judge(await send(request, with: session))
        }
        let answer = try result.get()
        switch SessionEffect(target.endpoint) {
        case .none: break
        case .begins: if options.takesUpSession { try await takeUp(answer.data) }
        case .ends: if let session { try await keeper.forget(session.id) }
        }
        return answer
    }

    /// Follows what an endpoint tells as it happens, in the name of whoever is signed in, or of the owner alone; see
    /// `CallOptions.owner`. It takes no place among the requests that run at once. Each iterator has connections of its own.
    ///
    /// - Parameter lastEventId: behind which event to begin; empty for what the server begins with.
    public func events(_ path: Path, lastEventId: String = "", owner: String? = nil) -> ServiceEventStream {
        let target = path.target
        let judge = AnswerJudge(endpoint: target.endpoint, mayBeUnmodified: false, now: network.now)
        return ServiceEventStream(lastEventId: lastEventId, judge: judge, clock: network.clock) {
            [self] lastEventId, refused throws(ServiceError) in
            let options = CallOptions(owner: owner)
            var request = try request(for: target, options)
            request.timeout = min(timeout, Self.longestSilence)
            let session =
                if let refused {
                    try await renewed(insteadOf: refused, for: target.endpoint)
                } else {
                    try await session(for: target.endpoint)
                }
            try options.admit(session)
            // A server that is away is waited for.
            var network = network
            network.retries.attempts = .max
            network.retries.longestRetryAfter = .seconds(300)
            let events = EventStream(request.authorized(by: session), in: network, lastEventId: lastEventId)
            return ServiceEventStream.Connection(session: session, events: events.makeAsyncIterator())
        }
    }

    /// Of an endpoint whose answer is the same for everybody, so without a session.
    private func cachedAnswer(
        _ request: NetworkRequest, for endpoint: Endpoint, _ cache: ResponseCache
    ) async throws(ServiceError) -> ServiceAnswer {
        try await cache.answer(to: request.url.absoluteString) { [self] conditions in
            var request = request
            for field in conditions.fields { request.headers[field.name] = field.value }
            let judge = AnswerJudge(
                endpoint: endpoint, mayBeUnmodified: !conditions.fields.isEmpty, now: network.now)
            return judge.judge(await send(request, with: nil))
        }
    }

    private func send(_ request: NetworkRequest, with session: Session?) async -> NetworkPayload {
        await queue.run(NetworkOperation(request, sending: request.authorized(by: session), in: network))
    }

    /// Whose token goes with a call.
    private func session(for endpoint: Endpoint) async throws(ServiceError) -> Session? {
        switch endpoint.access {
        case .anyone:
            guard endpoint.takesGuestAlong, try await keeper.stored()?.isGuest == true else { return nil }
            return try await orNone { () throws(ServiceError) in try await keeper.usable() }
        case .guestOrCustomer, .customer, .admin:
            guard let session = try await keeper.usable() else { throw ServiceError(.notSignedIn) }
            return session
        }
    }

    private func renewed(insteadOf refused: Session, for endpoint: Endpoint) async throws(ServiceError) -> Session? {
        guard endpoint.access == .anyone else { return try await keeper.renewed(insteadOf: refused) }
        return try await orNone { () throws(ServiceError) in try await keeper.renewed(insteadOf: refused) }
    }

    /// For calls that also do without a session: one that has ended is none.
    private func orNone(_ session: () async throws(ServiceError) -> Session?) async throws(ServiceError) -> Session? {
        do throws(ServiceError) {
            return try await session()
        } catch {
            guard error.reason == .sessionEnded else { throw error }
            return nil
        }
    }

    private func request(for target: Target, _ options: CallOptions) throws(ServiceError) -> NetworkRequest {
        var request = try Self.request(for: target, at: base, timeout: timeout)
        if target.endpoint.method == .post, target.endpoint.access != .anyone {
            request.headers[HeaderName.idempotencyKey] = options.idempotencyKey ?? makeKey()
        }
        request.headers[HeaderName.ifMatch] = options.ifMatch
        request.headers[HeaderName.ifNoneMatch] = options.ifNoneMatch
        return request
    }

    private static func request(
        for target: Target, at base: String, timeout: Duration
    ) throws(ServiceError) -> NetworkRequest {
        guard let url = URL(string: base + target.reference) else {
            throw ServiceError(.failed("the server's address is not a URL"))
        }
        var request = NetworkRequest(
            url: url, method: target.endpoint.method.rawValue, body: target.body, timeout: timeout)
        request.headers["Accept"] = "application/json, application/problem+json"
        if target.body != nil { request.headers["Content-Type"] = "application/json" }
        return request
    }

    private static func refreshBody(_ refreshToken: String) throws(ServiceError) -> Data {
        do {
            return try WireJSON.encode(["refreshToken": refreshToken])
        } catch {
            throw ServiceError(.unreadable("the refresh token is not text"))
        }
    }
}

extension NetworkRequest {
    fileprivate func authorized(by session: Session?) -> NetworkRequest {
        guard let session else { return self }
        var request = self
        request.headers[HeaderName.authorization] = "Bearer " + session.accessToken
        return request
    }
}

extension ServiceError {
    /// Whether a new token may help. A wrong password is a 401 too, and no reason to renew.
    var refusesToken: Bool {
        guard status == 401, let code = problem?.code else { return false }
        return code == .tokenExpired || code == .unauthenticated
    }
}

extension CallOptions {
    fileprivate func admit(_ session: Session?) throws(ServiceError) {
        guard owner == nil || session?.owner == owner else { throw ServiceError(.sessionEnded) }
    }
}

extension Endpoint {
    /// Whether its answer is the same for everybody and says how long it holds.
    fileprivate var isCacheable: Bool {
        switch self {
        case .seasons, .themes, .categories, .promotions, .products, .product, .openAPI: true
        default: false
        }
    }

    /// Whether a guest's token goes with it, so that the server can merge the cart.
    fileprivate var takesGuestAlong: Bool {
        switch self {
        case .signIn, .signUp: true
        default: false
        }
    }
}
