import Foundation
import Logging
import PouchDomain
import PouchImport

extension Job {
    /// Settles unfinished payments and refunds.
    static func settlement(_ settlement: OrderSettlement, pause: Duration, logger: Logger) -> Job {
        Job(name: "settling orders", pause: pause, nextDue: settlement.nextDue) {
            let settled = try await settlement.settleAll { id, error in
                logger.error("settling an order failed; retrying", metadata: ["order": "\(id)", "error": "\(error)"])
            }
            if settled > 0 { logger.notice("orders settled", metadata: ["count": "\(settled)"]) }
        }
    }

    /// Releases expired holds.
    static func holds(_ environment: DomainEnvironment, pause: Duration) -> Job {
        let holds = ExpiredHolds(environment)
        return Job(name: "releasing expired holds", pause: pause, nextDue: holds.nextDue, run: holds.release)
    }

    /// Stores the statuses that products have entered by the clock, with their events.
    static func productTimes(_ environment: DomainEnvironment) -> Job {
        let products = ProductAdministration(environment)
        return Job(name: "settling products", nextDue: products.nextDue) {
            while try await environment.store.write({ try products.settle(in: $0) }) { try Task.checkCancellation() }
        }
    }

    /// Carries out received imports, and those that a process left unfinished.
    static func imports(_ imports: ImportService, logger: Logger) -> Job {
        Job(name: "importing", nextDue: imports.nextDue) {
            while true {
                do {
                    guard try await imports.resume() else { return }
                } catch let failure as ImportFailed {
                    logger.error(
                        "import failed",
                        metadata: ["import": "\(failure.importId)", "error": "\(String(reflecting: failure.cause))"])
                }
            }
        }
    }

    /// Purges expired idempotency keys, sessions and events.
    static func purge(_ environment: DomainEnvironment, pause: Duration) -> Job {
        Job(name: "purging", pause: pause, nextDue: { _ in .distantPast }) {
            let before = environment.time.now.addingTimeInterval(-Idempotency.lifetime)
            // The limit of rows per transaction, so that no buyer waits for a long one.
            let batch = 1_000
            while try await environment.store.write({ try $0.idempotency.purge(before: before, limit: batch) }) {
                try Task.checkCancellation()
            }
            while try await environment.store.write({ try $0.sessions.purge(before: before, limit: batch) }) {
                try Task.checkCancellation()
            }
            let events = environment.time.now.addingTimeInterval(-EventLog.lifetime)
            while try await environment.store.write({ try $0.events.purge(before: events, limit: batch) }) {
                try Task.checkCancellation()
            }
        }
    }

    /// Forgets removed signing keys.
    static func signingKeys(_ keyRing: KeyRing, pause: Duration) -> Job {
        Job(name: "reading the signing keys", pause: pause, nextDue: { _ in .distantPast }, run: keyRing.refresh)
    }

    /// Reports once that the payment provider has another ledger than the one that charged the latest order.
    static func ledgerComparison(_ settlement: OrderSettlement, logger: Logger) -> Job {
        Job(name: "comparing the ledgers", nextDue: { _ in nil }) {
            guard let (ofOrders, ofProvider) = try await settlement.otherLedger() else { return }
            logger.error(
                """
                the payment provider has another ledger than the one that charged the latest order; refunds of such \
                orders wait until that ledger is back
                """, metadata: ["ledger of the order": "\(ofOrders)", "ledger of the provider": "\(ofProvider)"])
        }
    }
}
