import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchWire

/// Health checks and the OpenAPI document.
struct SystemHandlers {
    private let store: any Store
    private let document: Result<PublicAnswer, any Error>

    init(store: any Store, digests: any Digests) {
        self.store = store
        document = Result {
            try PublicAnswer(bytes: OpenAPI.bytes(), cacheControl: "public, max-age=300", digests: digests)
        }
    }

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

    func openAPI(_ call: OpenCall<Void>) throws -> Response { try document.get().response(to: call.request) }
}
