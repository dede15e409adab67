import Foundation
import Logging
import PouchDomain
import ServiceLifecycle

/// Finishes, at start and from time to time, what was left half-way, and forgets what has had its time.
struct SettlementRunner: Service {
    let settlement: OrderSettlement
    let environment: DomainEnvironment
    let interval: Duration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await tick()
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func tick() async {
        do {
            let settled = try await settlement.settleAll()
            if settled > 0 { logger.notice("orders settled", metadata: ["count": "\(settled)"]) }
            let now = environment.time.now
            try await environment.store.write { repositories in
                try repositories.idempotency.purge(before: now.addingTimeInterval(-Idempotency.lifetime))
                try repositories.sessions.purge(before: now.addingTimeInterval(-24 * 3600))
            }
        } catch is CancellationError {
        } catch {
            logger.error("settling failed; it will be tried again", metadata: ["error": "\(error)"])
        }
    }
}
