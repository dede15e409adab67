import Foundation

/// The options of a client's requests to one server, or to the web server of a feed.
///
///     let proxy = BasicAuthentication(user: "shop", password: password, server: url)
///     let options = NetworkOptions(authentication: proxy, headers: ["User-Agent": "kiosk/1.2"])
///     let pouch = Pouch(server: url, network: options)
public struct NetworkOptions: Sendable {
    /// The repetition of requests that are safe to repeat.
    public var retries: RetryPolicy
    /// The maximum number of concurrent requests. The others wait in the order of their tasks' priority; their timeout
    /// has not started yet. A screen makes about 8 requests at once. More concurrent requests open more connections,
    /// each of which takes three round trips with TLS until its first response; an idle connection takes one. With a
    /// limit of at most 64, no request waits for a connection of this SDK's transports. Connections for server-sent
    /// events are not included. At most 4 images are loaded at once, and at most 3 files of a feed.
    public var requestLimit: RequestLimit
    /// Answers the challenges of a proxy in front of the server. The proxy then uses the `Authorization` field.
    public var authentication: (any AuthenticationHandler)?
    /// Fields for each request to the server, and never for another origin. A field that a request already has, such as
    /// `Accept`, is not changed. A field that belongs to one request, to the session or to the connection, such as
    /// `Authorization`, `Host`, `Cookie`, `Idempotency-Key` or `Content-Length`, is refused: no request is sent, and
    /// each fails with `NetworkError.notSent`, which the other layers of the SDK report as an unexpected error.
    public var headers: HeaderFields
    /// Stores the cookies that the server sets, and sends them back; nil for no cookies. A Pouch server sets none.
    public var cookies: CookieStore?
    /// Returns the trace context of the sending task, as the value of `traceparent` (W3C Trace Context, version 00), or
    /// nil for none. It is called for each attempt of a request to the server, in a task that has the task-local values
    /// of the caller, and should return soon. An invalid value is not sent.
    public var traceparent: (@Sendable () -> String?)?
    /// Called once for each operation that has ended, before its caller receives the result: requests, session
    /// refreshes, connections for server-sent events, downloads. It is called from any thread and should return soon.
    public var observe: (@Sendable (NetworkReport) -> Void)?

    public init(
        retries: RetryPolicy = RetryPolicy(), requestLimit: RequestLimit = 8,
        authentication: (any AuthenticationHandler)? = nil, headers: HeaderFields = [:], cookies: CookieStore? = nil,
        traceparent: (@Sendable () -> String?)? = nil, observe: (@Sendable (NetworkReport) -> Void)? = nil
    ) {
        self.retries = retries
        self.requestLimit = requestLimit
        self.authentication = authentication
        self.headers = headers
        self.cookies = cookies
        self.traceparent = traceparent
        self.observe = observe
    }
}

extension NetworkSession {
    /// Creates a session with its own retry budget. Only requests to the server receive the fields, cookies and
    /// credentials.
    public init(
        _ transport: any Transport,
        options: NetworkOptions,
        server: URL,
        bodyLimit: Int = NetworkBody.standardLimit,
        clock: any Clock<Duration> = TimeoutClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(transport, retryBudget: RetryBudget(), bodyLimit: bodyLimit, clock: clock, now: now)
        self.options = options
        self.server = Origin(server)
    }
}

extension HeaderFields.Field {
    private static let reservedNames: Set<String> = [
        "accept-encoding", "authorization", "connection", "cookie", "expect", "host", "idempotency-key", "keep-alive",
        "last-event-id", "proxy-authorization", "range", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Whether the field belongs to a single request, to the session or to the connection, so that it cannot be added
    /// to each request.
    var isReserved: Bool {
        let name = name.lowercased()
        return Self.reservedNames.contains(name) || name.hasPrefix("content-") || name.hasPrefix("if-")
    }
}
