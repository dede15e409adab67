import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// Lets scripts from the allowed origins read answers in a browser. Requests from other origins are answered as usual,
/// but browsers keep the answers from their scripts.
struct AllowedOriginsMiddleware: RouterMiddleware {
    let origins: Set<String>

    /// The headers that scripts may read, besides those that browsers always expose.
    private static let exposed = [
        "Allow", "Content-Disposition", "Content-Range", "ETag", "Retry-After", "WWW-Authenticate",
        HeaderName.requestId, HeaderName.shouldRetry, HeaderName.idempotentReplayed,
    ].joined(separator: ", ")

    /// Without this, a cache could give an answer to a page of another origin.
    static let vary = HTTPField(name: .vary, value: "Origin")

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        var response = try await next(request, context)
        guard !origins.isEmpty else { return response }
        response.headers.append(Self.vary)
        guard let origin = request.headers[.origin], origins.contains(origin) else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        // Browsers look for this header in the answer to the request itself.
        if request.method != .options { response.headers[.accessControlExposeHeaders] = Self.exposed }
        return response
    }
}

/// Answers browsers that ask whether a page may send a request. These requests are logged and counted like all others,
/// so this is separate from `AllowedOriginsMiddleware`, which also completes the answers of the log and the limits.
struct PreflightMiddleware: RouterMiddleware {
    let origins: Set<String>
    private let permission = CORSMiddleware<PouchRequestContext>(
        allowOrigin: .none,
        allowHeaders: [
            .accept, .authorization, .contentType, .ifMatch, .ifNoneMatch, .accessToken, .idempotencyKey, .lastEventId,
            .prefer, .traceparent,
        ],
        allowMethods: [.get, .head, .post, .put, .patch, .delete],
        maxAge: .minutes(10))

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        guard request.method == .options, let origin = request.headers[.origin], origins.contains(origin) else {
            return try await next(request, context)
        }
        return try await permission.handle(request, context: context, next: next)
    }
}
