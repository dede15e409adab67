import Foundation
import PouchJSON
import PouchNetwork
import PouchWire

/// Calls one Pouch server: builds the URL, attaches and refreshes the session's token, and validates the responses. It
/// accepts and returns raw data and does not know the model.
///
///     let service = APIWrapper(server: url, transport: StandardTransport(), sessionStore: MemorySessionStore())
///     let seasons = try await service.call(EndpointCall(Contract.seasons.endpoint)).data
public final class APIWrapper: Sendable {
    /// A used refresh token may be sent again within 60 s and returns the same response. An attempt that starts in the
    /// last ten seconds might arrive too late.
    private static let refreshDeadline = Duration.seconds(50)
    /// The silence after which a connection for events is considered lost: the server sends something every few
    /// seconds.
    private static let longestSilence = Duration.seconds(30)

    private let base: String
    private let network: NetworkSession
    private let timeout: Duration
    private let makeKey: @Sendable () -> String
    private let cache: ResponseCache?
    private let queue: NetworkQueue
    /// The header field with the access token.
    private let tokenField: String
    private let keeper: SessionKeeper
    /// nil for calls with a session.
    private let apiKey: ProgramKey?

    /// - Parameters:
    ///   - server: scheme, host and port, and the path of the server, if any.
    ///   - apiKey: the key of a program, which calls the administration with it instead of a session. A secret.
    ///   - cache: answers reads of the catalogue when it can; nil sends each request to the server.
    ///   - timeout: the limit for each attempt, except for a call that sends a file, which has no limit.
    ///   - options: retries, the number of requests at once, credentials for a proxy, and more. With such credentials,
    ///     the access token is sent in `Pouch-Access-Token`; a server of an earlier version of Pouch does not read it.
    ///   - bodyLimit: the maximum size of a response, in bytes.
    ///   - clock: measures timeouts and pauses.
    ///   - now: the time of day, compared with the expiry of tokens and with dates in `Retry-After`.
    ///   - makeKey: generates idempotency keys.
    public init(
        server: URL,
        transport: any Transport,
        sessionStore: any SessionStore,
        apiKey: String? = nil,
        cache: ResponseCache? = nil,
        timeout: Duration = .seconds(60),
        options: NetworkOptions = NetworkOptions(),
        bodyLimit: Int = NetworkBody.standardLimit,
        clock: any Clock<Duration> = TimeoutClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        base = server.textWithoutTrailingSlash
        var network = NetworkSession(
            transport, options: options, server: server, bodyLimit: bodyLimit, clock: clock, now: now)
        network.reservedFields = [HeaderName.accessToken]
        self.network = network
        self.timeout = timeout
        self.makeKey = makeKey
        self.cache = cache
        self.apiKey = apiKey.map(ProgramKey.init)
        queue = NetworkQueue(limit: options.requestLimit)
        // With credentials, `Authorization` belongs to the proxy in front of the server.
        tokenField = options.authentication == nil ? HeaderName.authorization : HeaderName.accessToken
        keeper = SessionKeeper(
            store: sessionStore, now: now, refresh: Self.refresh(at: base, over: network, timeout: timeout))
    }

    // MARK: - Calls

    /// Makes one call. Waits for a refresh of the session if one is due, and repeats the call once if the server
    /// refuses the token.
    ///
    /// - Parameter upload: a file that is sent as the body.
    public func call(
        _ call: EndpointCall, _ options: CallOptions = CallOptions(), upload: CallUpload? = nil
    ) async throws(ServiceError) -> ServiceAnswer {
        let endpoint = call.endpoint
        var request = try request(for: call, options)
        if let upload {
            request.upload = FileUpload(file: upload.file, onProgress: upload.onProgress)
            request.headers["Content-Type"] = upload.mediaType
            // A large file takes long, and the caller can cancel.
            request.timeout = nil
        }
        if let cache, options.usesCache, endpoint.isCacheable, options.ifNoneMatch == nil {
            return try await cache.answer(to: request.url.absoluteString, request) { [self] request, isConditional in
                self.validator(for: endpoint, mayBeUnmodified: isConditional).validate(await send(request, with: nil))
            }
        }
        let validator = validator(for: endpoint, mayBeUnmodified: options.ifNoneMatch != nil)
        var sendState = request.isSafe ? ServiceError.SendState.readOnly : .notSent
        var session = try await session(for: options, sendState) { () throws(ServiceError) in
            try await self.session(for: endpoint)
        }
        var result = validator.validate(await send(request, with: session))
        if let refused = session, case .failure(let error) = result, error.refusesToken {
            // The server has refused this attempt only because of its token.
            if error.sendState == .earlierAttempt { sendState = .earlierAttempt }
            session = try await self.session(for: options, sendState) { () throws(ServiceError) in
                try await refreshed(insteadOf: refused, for: endpoint)
            }
            result = validator.validate(await send(request, with: session)).mapError { [sendState] in
                sendState == .earlierAttempt ? $0.with(sendState: .earlierAttempt) : $0
            }
        }
        let answer = try result.get()
        if endpoint.features.contains(.startsSession), options.adoptsSession { try await adoptSession(answer.data) }
        if endpoint.features.contains(.endsSession), let session { try await keeper.forget(session.id) }
        return answer
    }

    /// Downloads the response of an endpoint, of any size, to a file for the signed-in user. An interrupted download
    /// starts again.
    ///
    /// - Parameter file: a file in an existing folder; it is created complete or not at all.
    /// - Throws: `.file` if the file cannot be written.
    public func download(_ call: EndpointCall, to file: URL) async throws(ServiceError) {
        var request = try request(for: call, CallOptions())
        request.headers["Accept"] = "*/*"
        let session = try await session(for: call.endpoint)
        let validator = validator(for: call.endpoint, mayBeUnmodified: false)
        do throws(ServiceError) {
            try await validator.download(authorized(request, by: session), to: file, over: network, in: queue)
        } catch {
            guard error.refusesToken, let session else { throw error }
            let refreshed = try await refreshed(insteadOf: session, for: call.endpoint)
            try await validator.download(authorized(request, by: refreshed), to: file, over: network, in: queue)
        }
    }

    /// Follows the events of an endpoint as they happen, for the signed-in customer or guest, or for the given owner
    /// only (see `CallOptions.owner`). Does not count towards the request limit. Each iterator has its own connections.
    ///
    /// - Parameter lastEventId: the id after which to start; empty starts with the first event that the server sends.
    public func events(_ call: EndpointCall, lastEventId: String = "", owner: String? = nil) -> ServiceEventStream {
        let validator = validator(for: call.endpoint, mayBeUnmodified: false)
        return ServiceEventStream(lastEventId: lastEventId, validator: validator, clock: network.clock) {
            [self] lastEventId, refused throws(ServiceError) in
            let options = CallOptions(owner: owner)
            var request = try request(for: call, options)
            request.timeout = min(timeout, Self.longestSilence)
            let session =
                if let refused {
                    try await refreshed(insteadOf: refused, for: call.endpoint)
                } else {
                    try await session(for: call.endpoint)
                }
            try options.admit(session?.owner ?? apiKey?.owner)
            // The stream itself waits for an unreachable server.
            var network = network
            network.options.retries.attempts = .max
            network.options.retries.longestRetryAfter = .seconds(300)
            let events = EventStream(authorized(request, by: session), in: network, lastEventId: lastEventId)
            return ServiceEventStream.Connection(session: session, events: events.makeAsyncIterator())
        }
    }

    private func send(_ request: NetworkRequest, with session: Session?) async -> NetworkPayload {
        await queue.run(NetworkOperation(request, sending: authorized(request, by: session), in: network))
    }

    private func authorized(_ request: NetworkRequest, by session: Session?) -> NetworkRequest {
        session.map { authorized(request, with: $0.accessToken) } ?? request
    }

    private func authorized(_ request: NetworkRequest, with token: String) -> NetworkRequest {
        var request = request
        let isBearer = tokenField == HeaderName.authorization
        let token = (isBearer ? "Bearer " : "") + token
        let field = HeaderFields.Field(name: tokenField, value: token, isCredential: true)
        request.headers = HeaderFields(request.headers.fields + [field])
        return request
    }

    private func validator(for endpoint: Endpoint, mayBeUnmodified: Bool) -> ResponseValidator {
        ResponseValidator(endpoint: endpoint, mayBeUnmodified: mayBeUnmodified, now: network.now)
    }

    // MARK: - The session

    /// Sets the handler for the end of a session, replacing an earlier one. It is called once for each session that the
    /// server ends or that another process replaces in the store, before the call that detected it throws.
    public func onSessionEnd(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        keeper.onSessionEnd(handler)
    }

    /// The session as the server sent it, without a request; nil if no session exists.
    public func storedSession() async throws(ServiceError) -> Data? {
        guard apiKey == nil else { return nil }
        return try await keeper.stored()?.raw
    }

    /// The owner of the session, without a request: the account's id, the id of a guest's session, or that of the API
    /// key; nil if no session exists.
    public func owner() async throws(ServiceError) -> String? {
        if let apiKey { return apiKey.owner }
        return try await keeper.stored()?.owner
    }

    /// Adopts a session that the server sent. It is used even if it could not be saved.
    ///
    /// - Throws: `.unreadable` for bytes that are not a session; `.storage` if it could not be saved.
    public func adoptSession(_ session: Data) async throws(ServiceError) {
        try await keeper.adopt(session)
    }

    /// Removes the session here, unless another has replaced it. Sends nothing to the server.
    ///
    /// - Throws: `.storage` if the store could not be cleared. The session is no longer in use even then.
    public func forgetSession(id: String) async throws(ServiceError) {
        try await keeper.forget(id)
    }

    /// The session whose token a call to this endpoint sends; nil if it sends none.
    private func session(for endpoint: Endpoint) async throws(ServiceError) -> Session? {
        if let apiKey {
            try apiKey.admit(endpoint)
            return nil
        }
        switch endpoint.access {
        case .anyone:
            guard endpoint.features.contains(.acceptsGuestToken), try await keeper.stored()?.isGuest == true else {
                return nil
            }
            return try await nilIfEnded { () throws(ServiceError) in try await keeper.usable() }
        case .guestOrCustomer, .customer, .staff:
            guard let session = try await keeper.usable() else { throw ServiceError(.notSignedIn) }
            return session
        }
    }

    /// Returns the session for a call's next attempt.
    ///
    /// - Parameter sendState: the part of the call that the server may have received before.
    private func session(
        for options: CallOptions, _ sendState: ServiceError.SendState, _ find: () async throws(ServiceError) -> Session?
    ) async throws(ServiceError) -> Session? {
        do throws(ServiceError) {
            let session = try await find()
            try options.admit(session?.owner ?? apiKey?.owner)
            return session
        } catch {
            throw error.with(sendState: sendState)
        }
    }

    private func refreshed(insteadOf refused: Session, for endpoint: Endpoint) async throws(ServiceError) -> Session? {
        guard endpoint.access == .anyone else { return try await keeper.refreshed(insteadOf: refused) }
        return try await nilIfEnded { () throws(ServiceError) in try await keeper.refreshed(insteadOf: refused) }
    }

    /// Replaces `.sessionEnded` by nil, for calls that need no session.
    private func nilIfEnded(
        _ session: () async throws(ServiceError) -> Session?
    ) async throws(ServiceError) -> Session? {
        do {
            return try await session()
        } catch {
            guard error.reason == .sessionEnded else { throw error }
            return nil
        }
    }

    /// A refresh bypasses the queue. Calls of any priority wait for it before they enter the queue; in the queue, it
    /// would delay all of them behind requests that do not need it, with the priority of the first. It exceeds the
    /// limit by at most one request per session, because all calls share it.
    private static func refresh(
        at base: String, over network: NetworkSession, timeout: Duration
    ) -> SessionKeeper.Refresh {
        { token throws(ServiceError) in
            guard let body = try? (["refreshToken": token]).json() else {
                throw ServiceError(.unreadable("the refresh token cannot be encoded"))
            }
            let call = EndpointCall(.refreshSession, body: body)
            var request = try Self.request(for: call, at: base, timeout: timeout)
            request.repeatable = true
            var network = network
            network.options.retries.deadline = min(
                network.options.retries.deadline ?? Self.refreshDeadline, Self.refreshDeadline)
            let validator = ResponseValidator(endpoint: call.endpoint, mayBeUnmodified: false, now: network.now)
            return try validator.validate(await NetworkOperation(request, in: network).run()).get().data
        }
    }

    // MARK: - Requests

    private func request(for call: EndpointCall, _ options: CallOptions) throws(ServiceError) -> NetworkRequest {
        var request = try Self.request(for: call, at: base, timeout: timeout)
        if call.endpoint.method == .post, call.endpoint.access != .anyone {
            request.headers[HeaderName.idempotencyKey] = options.idempotencyKey ?? makeKey()
        }
        request.headers[HeaderName.ifMatch] = options.ifMatch
        request.headers[HeaderName.ifNoneMatch] = options.ifNoneMatch
        guard let apiKey, call.endpoint.access != .anyone else { return request }
        return authorized(request, with: apiKey.token)
    }

    private static func request(
        for call: EndpointCall, at base: String, timeout: Duration
    ) throws(ServiceError) -> NetworkRequest {
        // No object has an id that is empty or has dots as a component: the path would be that of another endpoint,
        // with dots once a proxy has resolved them.
        guard
            !call.parameters.contains(where: {
                $0.isEmpty || $0.split(separator: "/").contains { [".", ".."].contains($0) }
            })
        else {
            throw ServiceError(.refused, status: 404, problem: Problem(.notFound))
        }
        guard let url = URL(string: base + call.reference) else {
            throw ServiceError(.network(.failed("the server's address is not a URL")))
        }
        var request = NetworkRequest(
            url: url, method: call.endpoint.method.rawValue, body: call.body, timeout: timeout)
        request.headers["Accept"] = "application/json, application/problem+json"
        if call.body != nil { request.headers["Content-Type"] = "application/json" }
        return request
    }
}

extension CallOptions {
    /// - Parameter caller: the owner of the session or the API key.
    fileprivate func admit(_ caller: String?) throws(ServiceError) {
        guard owner == nil || caller == owner else { throw ServiceError(.sessionEnded) }
    }
}

extension Endpoint {
    /// Whether the response is the same for all callers and states how long it is valid.
    fileprivate var isCacheable: Bool { features.contains(.cached) && answer == .json }
}

/// A file to send as the body of a call.
public struct CallUpload: Sendable {
    public let file: URL
    public let mediaType: String
    /// Called with the bytes sent so far and the file's size, from any thread.
    public let onProgress: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    public init(
        _ file: URL, mediaType: String,
        onProgress: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
    ) {
        self.file = file
        self.mediaType = mediaType
        self.onProgress = onProgress
    }
}
