import Hummingbird
import Logging
import PouchContract
import PouchDomain
import PouchWire

/// Whether the process runs, and whether it can serve.
struct HealthRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        routes.open(Contract.healthLive) { _ in Health(.live) }
        routes.open(Contract.healthReady) { call in
            do {
                _ = try await services.store.read { try $0.catalog.version() }
            } catch {
                call.context.logger.error("not ready", metadata: ["error": "\(String(reflecting: error))"])
                throw RequestProblem(.unavailable, "The database cannot be reached.").with { $0.retryAfterSeconds = 1 }
            }
            return Health(.ready)
        }
    }
}
