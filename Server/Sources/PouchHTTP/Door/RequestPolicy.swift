import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchContract
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
    public var requests: NetworkLimiter.Rate?
    /// The limit of new guests and accounts of one network on this server; nil for none. Each stays in the database for
    /// a month.
    public var newSessions: NetworkLimiter.Rate? = .init(perSecond: 10, burst: 2_000)
    /// Whether browsers are asked to use TLS only, for a server that has no other port.
    public var requiresTLS = false
    /// Whether there are routes for rides; without them the paths are unknown.
    public var offersRides = true

    /// The limit of wrong discount codes of one network on this server: 30 in a quarter of an hour.
    static let wrongDiscountCodes = NetworkLimiter.Rate(perSecond: 30.0 / 900, burst: 30)

    public init() {}
}

/// Finds the client's address, behind trusted proxies too.
struct ClientAddressMiddleware: RouterMiddleware {
    let proxies: TrustedProxies

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let peer = context.client {
            let client = proxies.client(peer: peer, forwarded: request.headers[values: .forwardedFor])
            context.client = client
            context.logger[metadataKey: "client"] = "\(client)"
        }
        return try await next(request, context)
    }
}

/// Lets scripts of the allowed origins call the API from a browser. Requests of other origins are answered as usual, but
/// browsers keep the answers from their scripts.
struct AllowedOriginsMiddleware: RouterMiddleware {
    private let origins: [String: CORSMiddleware<PouchRequestContext>]

    init(_ origins: Set<String>) {
        let pairs = origins.map { origin in
            (
                origin,
                CORSMiddleware<PouchRequestContext>(
                    allowOrigin: .custom(origin),
                    allowHeaders: [
                        .accept, .authorization, .contentType, .ifMatch, .ifNoneMatch, .accessToken, .idempotencyKey,
                        .lastEventId, .prefer, .traceparent,
                    ],
                    allowMethods: [.get, .head, .post, .put, .patch, .delete],
                    exposedHeaders: [
                        "ETag", "Retry-After", HeaderName.requestId, HeaderName.shouldRetry,
                        HeaderName.idempotentReplayed,
                    ],
                    maxAge: .minutes(10))
            )
        }
        self.origins = Dictionary(uniqueKeysWithValues: pairs)
    }

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin], let allowed = origins[origin] else {
            return try await next(request, context)
        }
        return try await allowed.handle(request, context: context, next: next)
    }
}

/// Refuses requests of a network that sends more than the policy allows. Health checks are not counted.
struct RequestLimitMiddleware: RouterMiddleware {
    let limiter: NetworkLimiter

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        if !request.uri.path.hasPrefix("/health/") { try limiter.take(from: context.network) }
        return try await next(request, context)
    }
}
