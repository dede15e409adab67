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
            // A payment provider that hangs delays nothing but the settlement.
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await attempt("comparing the ledgers", compareLedgers)
                    await repeatedly { await attempt("settling orders", settle) }
                }
                group.addTask { await keepHouse() }
            }
        }
    }

    private func keepHouse() async {
        var lastPurge = Date.distantPast
        await repeatedly {
            await attempt("releasing expired holds", ExpiredHolds(environment).release)
            await attempt("reading the signing keys", keyRing.refresh)
            // A clock that was set back must not stop the purge.
            if abs(environment.time.now.timeIntervalSince(lastPurge)) >= Self.purgeInterval {
                lastPurge = environment.time.now
                await attempt("purging", purge)
            }
        }
    }

    private func repeatedly(_ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: interval)
        }
    }

    private func compareLedgers() async throws {
        guard let (ofOrders, ofProvider) = try await settlement.otherLedger() else { return }
        logger.error(
            """
            the payment provider has another ledger than the one that charged the latest order; refunds of such orders \
            wait until that ledger is back
            """, metadata: ["ledger of the order": "\(ofOrders)", "ledger of the provider": "\(ofProvider)"])
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
