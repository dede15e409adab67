import Foundation
import Logging
import PouchDomain
import ServiceLifecycle

/// Settles unfinished payments and refunds at start and at intervals, releases expired holds, purges expired
/// idempotency keys and sessions, and forgets signing keys that were removed.
struct SettlementRunner: Service {
    let settlement: OrderSettlement
    let environment: DomainEnvironment
    let keyRing: KeyRing
    let interval: Duration
    let logger: Logger

    private static let purgeInterval: TimeInterval = 600
    /// The limit of rows per purging transaction, so that no buyer waits for a long one.
    private static let purgeBatch = 1_000

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var lastPurge = Date.distantPast
            while !Task.isCancelled {
                await attempt("settling orders", settle)
                await attempt("releasing expired holds", ExpiredHolds(environment).release)
                await attempt("reading the signing keys", keyRing.refresh)
                if environment.time.now.timeIntervalSince(lastPurge) >= Self.purgeInterval {
                    lastPurge = environment.time.now
                    await attempt("purging", purge)
                }
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func settle() async throws {
        let settled = try await settlement.settleAll { id, error in
            logger.error("settling an order failed; retrying", metadata: ["order": "\(id)", "error": "\(error)"])
        }
        if settled > 0 { logger.notice("orders settled", metadata: ["count": "\(settled)"]) }
    }

    private func purge() async throws {
        let before = environment.time.now.addingTimeInterval(-Idempotency.lifetime)
        try await inBatches { try $0.idempotency.purge(before: before, limit: Self.purgeBatch) }
        try await inBatches { try $0.sessions.purge(before: before, limit: Self.purgeBatch) }
    }

    private func inBatches(_ purge: @escaping @Sendable (any Repositories) throws -> Bool) async throws {
        while try await environment.store.write(purge) { try Task.checkCancellation() }
    }

    private func attempt(_ name: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch  where Task.isCancelled {
        } catch {
            logger.error("\(name) failed; retrying", metadata: ["error": "\(error)"])
        }
    }
}
