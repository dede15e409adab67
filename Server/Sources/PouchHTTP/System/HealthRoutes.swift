import Hummingbird
import Logging
import NIOCore
import PouchDomain
import PouchWire

/// Whether the process runs, and whether it can serve.
struct HealthRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.open(.healthLive) { _ in Self.answer("live") }
        routes.open(.healthReady) { call in
            do {
                _ = try await services.store.read { try $0.catalog.version() }
            } catch {
                call.context.logger.error("not ready", metadata: ["error": "\(String(reflecting: error))"])
                throw RequestProblem(.unavailable, "The database cannot be reached.").with { $0.retryAfterSeconds = 1 }
            }
            return Self.answer("ready")
        }
    }

    private static func answer(_ status: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: #"{"status":"\#(status)"}"#)))
    }
}
