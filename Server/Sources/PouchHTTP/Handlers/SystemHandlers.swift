import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchWire

/// Health checks and the OpenAPI document.
struct SystemHandlers {
    let store: any Store
    let digests: any Digests

    func live(_ call: OpenCall<Void>) -> Health { Health(.live) }

    func ready(_ call: OpenCall<Void>) async throws -> Health {
        do {
            _ = try await store.read { try $0.catalog.version() }
        } catch {
            call.context.logger.error("not ready", metadata: ["error": "\(String(reflecting: error))"])
            var problem = RequestProblem(.unavailable, "The database cannot be reached.")
            problem.retryAfterSeconds = 1
            throw problem
        }
        return Health(.ready)
    }

    /// Not made at the start, which describing the contract would delay. `OpenAPI` keeps the bytes after the first
    /// request; each request computes their digest.
    func openAPI(_ call: OpenCall<Void>) throws -> Response {
        try PublicAnswer(bytes: OpenAPI.bytes(), cacheControl: "public, max-age=300", digests: digests)
            .response(to: call.request)
    }
}
