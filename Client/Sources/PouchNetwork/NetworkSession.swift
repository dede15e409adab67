import Foundation

/// The transport to a server, and the rules for redirects, challenges and retries that all requests share. Copies share
/// the transport, the retry budget and the authentication handler.
public struct NetworkSession: Sendable {
    /// A challenge is answered once, and once more if the handler finds that the first answer was stale.
    private static let mostCredentials = 2

    public let transport: any Transport
    /// The retries of `NetworkOperation`; streams and downloads have rules of their own.
    public var retries: RetryPolicy
    /// nil: only the policy bounds retries.
    public var retryBudget: RetryBudget?
    /// nil: a 401 is returned unchanged.
    public var authentication: (any AuthenticationHandler)?
    /// The most redirects in a row before `.tooManyRedirects`; with 0, redirects are returned unchanged.
    public var redirectLimit = 5
    /// The most bytes of a body that is collected in memory.
    public var bodyLimit: Int
    /// Measures timeouts and pauses.
    public var clock: any Clock<Duration>
    /// The time of day, used for the dates in payloads and for dates in `Retry-After`.
    public var now: @Sendable () -> Date

    public init(
        _ transport: any Transport,
        retries: RetryPolicy = .once,
        retryBudget: RetryBudget? = nil,
        authentication: (any AuthenticationHandler)? = nil,
        bodyLimit: Int = NetworkBody.standardLimit,
        clock: any Clock<Duration> = TimeoutClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.retries = retries
        self.retryBudget = retryBudget
        self.authentication = authentication
        self.bodyLimit = bodyLimit
        self.clock = clock
        self.now = now
    }

    /// Sends a request once, follows redirects, answers challenges, and returns the body as it arrives.
    ///
    /// - Throws: `.timedOut` if the head takes longer than the request's timeout. Reading the body throws it if a
    ///   single piece takes longer, so a stream as a whole may last any time.
    public func stream(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        let response = try await within(request.timeout, on: clock) { () throws(NetworkError) in
            try await exchange(request)
        }
        guard let timeout = request.timeout else { return response }
        let reader = BodyReader(response.body)
        let body = NetworkBody { [clock] () throws(NetworkError) in
            try await within(timeout, on: clock) { () throws(NetworkError) in try await reader.next() }
        }
        return StreamedResponse(status: response.status, headers: response.headers, body: body)
    }

    /// `stream` without a timeout.
    func exchange(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        var request = request
        // A request with its own credentials keeps them. The handler's credentials stay with the first origin.
        var handler = request.headers["Authorization"] == nil ? authentication : nil
        var redirects = 0
        while true {
            let response = try await authenticated(request, by: handler)
            guard (300..<400).contains(response.status), redirectLimit > 0,
                let target = request.redirected(by: response)
            else { return response }
            redirects += 1
            guard redirects <= redirectLimit else { throw .tooManyRedirects }
            if Origin(target.url) != Origin(request.url) { handler = nil }
            request = target
        }
    }

    private func authenticated(
        _ request: NetworkRequest, by handler: (any AuthenticationHandler)?
    ) async throws(NetworkError) -> StreamedResponse {
        guard let handler else { return try await transport.send(request) }
        var sent = request
        sent.headers["Authorization"] = await handler.authorization(for: request)
        var response = try await transport.send(sent)
        for _ in 0..<Self.mostCredentials where response.status == 401 {
            let challenges = AuthenticationChallenge.all(in: response.headers)
            guard let answer = await handler.authorization(answering: challenges, to: sent) else { break }
            sent.headers["Authorization"] = answer
            response = try await transport.send(sent)
        }
        await handler.received(response.headers, for: sent)
        return response
    }
}

/// Holds the iterator of a body of which each piece is read in a task of its own.
private actor BodyReader {
    private var pieces: NetworkBody.AsyncIterator

    init(_ body: NetworkBody) {
        pieces = body.makeAsyncIterator()
    }

    func next() async throws(NetworkError) -> Data? {
        var pieces = pieces
        defer { self.pieces = pieces }
        return try await pieces.next()
    }
}

// MARK: - Redirects

extension NetworkRequest {
    /// The request that follows a redirect (RFC 9110, section 15.4); nil if the redirect must not be followed. Only a
    /// GET or HEAD without `Authorization` may go to another origin, so neither credentials nor a body leave the server
    /// they were meant for. No request goes from https to http.
    fileprivate func redirected(by response: StreamedResponse) -> NetworkRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: url)?.absoluteURL
        else { return nil }
        let (origin, destination) = (Origin(url), Origin(target))
        guard destination.scheme == "https" || destination.scheme == "http" && origin.scheme == "http",
            !destination.host.isEmpty
        else { return nil }
        var redirected = self
        redirected.url = target
        let becomesGet = response.status == 303 && method != "HEAD" || response.status < 303 && method == "POST"
        if becomesGet {
            redirected.method = "GET"
            redirected.body = nil
            redirected.upload = nil
            redirected.headers = HeaderFields(headers.fields.filter { !$0.belongsToWrite })
        }
        guard destination != origin else { return redirected }
        guard ["GET", "HEAD"].contains(redirected.method), headers["Authorization"] == nil else { return nil }
        redirected.headers["Cookie"] = nil
        return redirected
    }
}

extension HeaderFields.Field {
    /// Whether the field describes a request body, or the state that a write expects.
    fileprivate var belongsToWrite: Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || name.hasPrefix("if-") || name == "idempotency-key"
    }
}
