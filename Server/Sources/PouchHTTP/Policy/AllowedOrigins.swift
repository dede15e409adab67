import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchWire

/// Lets scripts of the allowed origins call the API from a browser. Requests of other origins are answered as usual, but
/// browsers keep the answers from their scripts.
struct AllowedOriginsMiddleware: RouterMiddleware {
    private let origins: Set<String>
    private let permission = CORSMiddleware<PouchRequestContext>(
        allowOrigin: .originBased,
        allowHeaders: [
            .accept, .authorization, .contentType, .ifMatch, .ifNoneMatch, .accessToken, .idempotencyKey, .lastEventId,
            .prefer, .traceparent,
        ],
        allowMethods: [.get, .head, .post, .put, .patch, .delete],
        maxAge: .minutes(10))
    /// The headers that scripts may read besides those that browsers always show.
    private static let exposed = [
        "ETag", "Retry-After", HeaderName.requestId, HeaderName.shouldRetry, HeaderName.idempotentReplayed,
    ].joined(separator: ", ")

    init(_ origins: Set<String>) {
        self.origins = origins
    }

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        guard !origins.isEmpty else { return try await next(request, context) }
        guard let origin = request.headers[.origin], origins.contains(origin) else {
            var response = try await next(request, context)
            // Otherwise a cache could give this answer to a page of an allowed origin.
            response.headers[values: .vary].append("Origin")
            return response
        }
        var response = try await permission.handle(request, context: context, next: next)
        response.headers[.requestId] = context.requestId
        // Hummingbird sends it with the answer to a preflight only, where browsers do not look for it.
        if request.method != .options { response.headers[.accessControlExposeHeaders] = Self.exposed }
        return response
    }
}
