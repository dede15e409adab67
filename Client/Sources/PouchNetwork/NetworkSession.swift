import Foundation

/// What all requests to a server have in common: the transport, and how redirects, challenges and failures are dealt
/// with. A value; copies share the transport, the retry budget and the handler.
public struct NetworkSession: Sendable {
    /// A challenge is answered once, and once more where the handler finds that the first answer was only stale.
    private static let mostCredentials = 2

    public let transport: any Transport
    /// When `NetworkOperation` sends a request again; streams and downloads have rules of their own.
    public var retries: RetryPolicy
    /// nil: retries are bounded by the policy alone.
    public var retryBudget: RetryBudget?
    /// nil: a 401 comes back as it is.
    public var authentication: (any AuthenticationHandler)?
    /// How many redirects are followed in a row before `.tooManyRedirects`; with 0 they come back as they are.
    public var redirectLimit: Int
    /// The most bytes of an answer that is collected.
    public var bodyLimit: Int
    /// Measures timeouts and pauses.
    public var clock: any Clock<Duration>
    /// The time of day, for the stamps of payloads, and to which dates in `Retry-After` are compared.
    public var now: @Sendable () -> Date

    public init(
        _ transport: any Transport,
        retries: RetryPolicy = .once,
        retryBudget: RetryBudget? = nil,
        authentication: (any AuthenticationHandler)? = nil,
        redirectLimit: Int = 5,
        bodyLimit: Int = NetworkBody.standardLimit,
        clock: any Clock<Duration> = TimeoutClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.retries = retries
        self.retryBudget = retryBudget
        self.authentication = authentication
        self.redirectLimit = redirectLimit
        self.bodyLimit = bodyLimit
        self.clock = clock
        self.now = now
    }

    /// Sends a request once, follows redirects and answers challenges, and hands over the body as it comes.
    ///
    /// - Throws: `.timedOut` when the head, and while the body is read when a piece of it, takes longer than the
    ///   request's timeout; so a stream may last as long as it likes.
    public func stream(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        let response = try await within(request.timeout, on: clock) { () throws(NetworkError) in
            try await exchange(request)
        }
        guard let timeout = request.timeout else { return response }
        let pieces = BodyReader(response.body)
        let body = NetworkBody { [clock] () throws(NetworkError) in
            try await within(timeout, on: clock) { () throws(NetworkError) in try await pieces.next() }
        }
        return StreamedResponse(status: response.status, headers: response.headers, body: body)
    }

    /// As `stream`, without a timeout.
    func exchange(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        var request = request
        // Who brings credentials along decides alone; those of the handler stay with the origin that was asked.
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
