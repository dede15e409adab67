import Foundation

/// The transport to a server, and the shared rules of all requests for redirects, challenges and retries. Copies share
/// the transport, the retry budget and the authentication handler.
public struct NetworkSession: Sendable {
    /// A challenge is answered once, and once more if the handler finds that the first answer was stale.
    private static let maxCredentials = 2

    public let transport: any Transport
    /// Retries, credentials, fields, cookies and observer. The session ignores the limit of requests, which
    /// `NetworkQueue` enforces.
    public var options: NetworkOptions
    /// nil if only the policy limits retries.
    public var retryBudget: RetryBudget?
    /// The only origin that receives the options' credentials, fields and cookies; nil for the origin of each request.
    public var server: Origin?
    /// The names of fields that the options must not add, in addition to those of `HeaderFields.Field.isReserved`.
    public var reservedFields: [String] = []
    /// The maximum number of consecutive redirects before `.tooManyRedirects`; with 0, redirects are returned
    /// unchanged.
    public var redirectLimit = 5
    /// The maximum size of a body that is collected in memory, in bytes.
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
        options = NetworkOptions(retries: retries, authentication: authentication)
        self.retryBudget = retryBudget
        self.bodyLimit = bodyLimit
        self.clock = clock
        self.now = now
    }

    /// Sends a request once, follows redirects, answers challenges, and returns the body as it arrives.
    ///
    /// - Throws: `.timedOut` if the head takes longer than the request's timeout. Reading the body throws it if a
    ///   single piece takes longer, so the whole stream may last any length of time.
    public func stream(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        try await stream(request, StreamRecord(request, in: self, isSingle: true))
    }

    /// - Parameter record: receives an attempt, which ends with the body; nil without an observer.
    func stream(_ request: NetworkRequest, _ record: StreamRecord?) async throws(NetworkError) -> StreamedResponse {
        record?.startAttempt()
        let response: StreamedResponse
        do throws(NetworkError) {
            response = try await within(request.timeout, on: clock) { () throws(NetworkError) in
                if let record, let size = await request.upload?.size() { record.sendsFile(of: size) }
                return try await exchange(request)
            }
            record?.headArrived(response)
        } catch {
            record?.endAttempt(error)
            throw error
        }
        guard request.timeout != nil || record != nil else { return response }
        let reader = BodyReader(response.body)
        let body = NetworkBody { [clock, timeout = request.timeout] () throws(NetworkError) in
            do throws(NetworkError) {
                let piece = try await within(timeout, on: clock) { () throws(NetworkError) in try await reader.next() }
                if let piece { record?.received(piece.count) } else { record?.endAttempt(nil) }
                return piece
            } catch {
                record?.endAttempt(error)
                throw error
            }
        }
        return StreamedResponse(status: response.status, headers: response.headers, body: body)
    }

    /// `stream` without a timeout.
    func exchange(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        var request = request
        request.url = request.url.withoutUser
        // Fields, cookies and credentials are sent only to the first origin.
        var isTrusted = addsToRequests && server.map { $0 == Origin(request.url) } ?? true
        let isWrite = !request.isSafe
        var redirects = 0
        while true {
            let response: StreamedResponse
            do throws(NetworkError) {
                response = try await isTrusted ? authenticated(request) : transport.send(request)
            } catch {
                // The server received the write before it redirected it.
                let mayHaveEffect = redirects > 0 && isWrite && error.meansNothingWasSent
                throw mayHaveEffect ? .connectionLost("after a redirect: \(error)") : error
            }
            guard (300..<400).contains(response.status), redirectLimit > 0,
                let target = request.redirected(by: response)
            else { return response }
            redirects += 1
            guard redirects <= redirectLimit else { throw .tooManyRedirects }
            if isTrusted, Origin(target.url) != Origin(request.url) { isTrusted = false }
            request = target
        }
    }

    private var addsToRequests: Bool {
        options.authentication != nil || !options.headers.fields.isEmpty || options.cookies != nil
            || options.traceparent != nil
    }

    /// Sends a request to the trusted origin, and answers its challenges.
    private func authenticated(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        // A request with its own credentials keeps them.
        guard let handler = options.authentication, request.headers["Authorization"] == nil else {
            return try await send(request)
        }
        var sent = request
        sent.headers["Authorization"] = await handler.authorization(for: request)
        var response = try await send(sent)
        for _ in 0..<Self.maxCredentials where response.status == 401 {
            let challenges = AuthenticationChallenge.all(in: response.headers)
            guard let answer = await handler.authorization(answering: challenges, to: sent) else { break }
            sent.headers["Authorization"] = answer
            response = try await send(sent)
        }
        await handler.received(response.headers, for: sent)
        return response
    }

    /// Sends a request once, with the fields and cookies of the session.
    private func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        let isReserved = { (field: HeaderFields.Field) in
            field.isReserved || reservedFields.contains(where: field.isNamed)
        }
        if let field = options.headers.fields.first(where: isReserved) {
            throw .notSent("the field \(field.name) cannot be added to each request")
        }
        var sent = request
        let added = options.headers.fields.filter { request.headers[$0.name] == nil }
        sent.headers = HeaderFields(request.headers.fields + added)
        if let cookies = options.cookies, sent.headers["Cookie"] == nil {
            sent.headers["Cookie"] = cookies.header(for: sent.url, now: now())
        }
        if sent.headers["traceparent"] == nil, let traceparent = options.traceparent?(),
            traceparent.isTraceparent
        {
            sent.headers["traceparent"] = traceparent
        }
        let response = try await transport.send(sent)
        options.cookies?.store(response.headers, from: sent.url, now: now())
        return response
    }
}

extension String {
    /// Whether the text has the form `00-` + 32 digits + `-` + 16 digits + `-` + 2 digits, hexadecimal in lower case.
    fileprivate var isTraceparent: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [2, 32, 16, 2] && parts[0].elementsEqual("00".utf8)
            && parts.joined().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// Holds the iterator of a body whose pieces are each read in a separate task.
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
    /// GET or HEAD without credentials may go to another origin, so neither credentials nor a body are sent to another
    /// server. No request goes from https to http.
    fileprivate func redirected(by response: StreamedResponse) -> NetworkRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: url)?.absoluteURL.withoutUser
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
        guard ["GET", "HEAD"].contains(redirected.method), !headers.fields.contains(where: \.isCredential) else {
            return nil
        }
        redirected.headers["Cookie"] = nil
        return redirected
    }
}

extension URL {
    /// The URL without user and password. Libraries send these as Basic without a challenge, and to any origin.
    fileprivate var withoutUser: URL {
        guard user() != nil || password() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.user = nil
        parts.password = nil
        return parts.url ?? self
    }
}

extension HeaderFields.Field {
    /// Whether the field describes a request body, or the state that a write expects.
    fileprivate var belongsToWrite: Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || name.hasPrefix("if-") || name == "idempotency-key"
    }
}
