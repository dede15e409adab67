import CoreMetrics
import Foundation
import Logging
import PouchDomain
import PouchImport
import PouchMail
import PouchStorage

extension Job {
    /// Settles unfinished payments and refunds.
    static func settlement(
        _ settlement: OrderSettlement, pause: Duration, metrics: any MetricsFactory, logger: Logger
    ) -> Job {
        let count = Counter(label: "pouch_orders_settled_total", factory: metrics)
        return Job(name: "settling orders", pause: pause, nextDue: settlement.nextDue) {
            let settled = try await settlement.settleAll { id, error in
                logger.error("settling an order failed; retrying", metadata: ["order": "\(id)", "error": "\(error)"])
            }
            guard settled > 0 else { return }
            count.increment(by: settled)
            logger.notice("orders settled", metadata: ["count": "\(settled)"])
        }
    }

    /// Releases expired holds.
    static func holds(_ environment: DomainEnvironment, pause: Duration) -> Job {
        let holds = ExpiredHolds(environment)
        return Job(name: "releasing expired holds", pause: pause, nextDue: holds.nextDue, run: holds.release)
    }

    /// Stores the statuses that products have reached by the clock, with their events.
    static func productTimes(_ environment: DomainEnvironment) -> Job {
        let products = ProductAdministration(environment)
        return Job(name: "settling products", nextDue: products.nextDue) {
            try await environment.store.writeInParts { try products.settle(in: $0) }
        }
    }

    /// Runs received imports, and those that a process left unfinished.
    static func imports(_ imports: ImportService, logger: Logger) -> Job {
        Job(name: "importing", announcement: .importReceived, nextDue: imports.nextDue) {
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

    /// Queues the e-mails with tokens for new passwords.
    static func passwordResets(_ accounts: AccountService) -> Job {
        Job(
            name: "answering requests for new passwords", announcement: .linkRequested,
            nextDue: { try $0.accountLinks.oldestRequest() },
            run: accounts.answerPasswordResets)
    }

    /// Sends the queued e-mails.
    static func mail(
        _ settings: MailSettings, _ environment: DomainEnvironment, _ keyRing: KeyRing, logger: Logger
    ) -> Job {
        let signer = LinkSigner(keyRing: keyRing, digests: environment.digests)
        let writer = MailWriter(settings, timeZone: environment.shop.timeZone, token: signer.token)
        let sender = MailSender(
            environment, writer: writer, transport: settings.destination.transport, logger: logger)
        return Job(
            name: "sending mails", announcement: .mailQueued, nextDue: sender.nextDue, run: sender.run)
    }

    /// Purges expired idempotency keys, sessions, links, events, webhook deliveries, e-mails, and audit log entries.
    static func purge(_ environment: DomainEnvironment, auditDays: Int, pause: Duration) -> Job {
        Job(name: "purging", pause: pause, nextDue: { _ in .distantPast }) {
            /// Deletes few rows per transaction, so that no buyer waits for a long transaction.
            func purge(
                after lifetime: TimeInterval,
                _ delete: @escaping @Sendable (any Repositories, _ before: Date, _ limit: Int) throws -> Bool
            ) async throws {
                let before = environment.time.now.addingTimeInterval(-lifetime)
                try await environment.store.writeInParts { try delete($0, before, 1_000) }
            }
            try await purge(after: Idempotency.lifetime) { try $0.idempotency.purge(before: $1, limit: $2) }
            try await purge(after: SignInAttempt.memory) { try $0.sessions.purge(before: $1, limit: $2) }
            try await purge(after: AccountLink.retention) { try $0.accountLinks.purge(before: $1, limit: $2) }
            try await purge(after: EventLog.lifetime) { try $0.events.purge(before: $1, limit: $2) }
            try await purge(after: EventLog.lifetime) { try $0.webhooks.purge(before: $1, limit: $2) }
            try await purge(after: MailQueue.retention) { try $0.mails.purge(before: $1, limit: $2) }
            try await purge(after: Double(auditDays) * 24 * 3600) { try $0.audit.purge(before: $1, limit: $2) }
        }
    }

    /// Anonymises the orders of deleted accounts that no longer need to name their buyers.
    static func anonymity(_ environment: DomainEnvironment) -> Job {
        let retention = OrderRetention(environment)
        return Job(name: "making orders anonymous", nextDue: retention.nextDue) {
            try await environment.store.writeInParts { try retention.anonymiseDue(in: $0) }
        }
    }

    /// Removes deleted signing keys from memory.
    static func signingKeys(_ keyRing: KeyRing, pause: Duration) -> Job {
        Job(name: "reading the signing keys", pause: pause, nextDue: { _ in .distantPast }, run: keyRing.refresh)
    }

    /// Reports once if the payment provider's ledger differs from the one that charged the latest order.
    static func ledgerComparison(_ settlement: OrderSettlement, logger: Logger) -> Job {
        Job(name: "comparing the ledgers", nextDue: { _ in nil }) {
            guard let (ofOrders, ofProvider) = try await settlement.otherLedger() else { return }
            logger.error(
                """
                the payment provider's ledger is not the one that charged the latest order; refunds of such orders \
                wait until that ledger is back
                """, metadata: ["ledger of the order": "\(ofOrders)", "ledger of the provider": "\(ofProvider)"])
        }
    }
}

extension Job {
    /// The maximum number of events that get their positions in one transaction.
    private static let batch = 1_000

    /// Assigns positions to events, if the database does not assign them when events are appended.
    ///
    /// - Parameter pause: the pause after which events that a dead process left are found. There may be more until all
    ///   transactions that began before an event have ended, including those in other databases of the same PostgreSQL
    ///   server.
    static func numbering(_ store: ShopDatabase, pause: Duration) -> Job {
        Job(
            name: "numbering events", announcement: .eventsAppended, pause: pause,
            nextDue: { try $0.events.hasUnnumbered() ? .distantPast : nil },
            run: { try await store.writeInParts(.readCommitted) { try $0.events.number(limit: batch) } })
    }

    /// Lets a consumer process the events.
    static func events(for consumer: EventConsumer) -> Job {
        Job(
            name: "events for \(consumer.name)", announcement: .eventsNumbered,
            nextDue: { try consumer.hasNew(in: $0) ? .distantPast : nil }, run: { try await consumer.run() })
    }
}
