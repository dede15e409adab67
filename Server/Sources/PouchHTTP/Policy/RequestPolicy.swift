import Hummingbird
import PouchDomain
import PouchWire

/// The requests that a server accepts, and from where.
///
///     var policy = RequestPolicy()
///     policy.trustedProxies = TrustedProxies([NetworkRange("10.0.0.0/8")].compactMap(\.self))
///     policy.allowedOrigins = ["https://shop.example.com"]
public struct RequestPolicy: Sendable {
    /// The proxies whose `X-Forwarded-For` names the client.
    public var trustedProxies = TrustedProxies([])
    /// The origins whose scripts may call the API from a browser, such as `https://shop.example.com`.
    public var allowedOrigins: Set<String> = []
    /// The limit of all requests of one network to this server; nil for none.
    public var requests: RequestRate?
    /// The limit of sign-ups, sign-ins and new guests of one network on this server; nil for none. Each stays in the
    /// database for a month.
    public var newSessions: RequestRate? = .init(perSecond: 10, burst: 2_000)

    public init() {}
}

/// Refuses requests of a network that sends more than the policy allows. Health checks are not counted.
struct RequestLimitMiddleware: RouterMiddleware {
    let limiter: NetworkLimiter

    private static let free = [Endpoint.healthLive, .healthReady].map(\.template.description)

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        if !Self.free.contains(request.uri.path) { try limiter.take(from: context.network) }
        return try await next(request, context)
    }
}
