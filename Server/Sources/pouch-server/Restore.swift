import ArgumentParser
import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import PouchStorage

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace an SQLite database with a backup.",
        discussion: """
            Stop the servers first. This command checks the backup and copies it. The replaced database is kept next \
            to it, with the time in its name. The next server that starts migrates an older backup.

            The payment provider's records are not restored: customers have paid for orders placed since the backup, \
            but the shop no longer has these orders. The sandbox ledger is a separate file; leave it in place.

            The next order number is at least 1,000 above the last one used, so that no two buyers get the same \
            number.
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "A file written by pouch-server backup.", completion: .file())
    var path: String

    func run() async throws {
        let address = try await options.configuration(options.settings()).database
        guard case .sqlite(let database) = address else {
            throw Failure("This command restores SQLite databases. For PostgreSQL, use psql or pg_restore.")
        }
        guard !isFolder(path), !isFolder(database) else { throw Failure("A path is a folder. Pass files.") }
        do {
            let restored = try await DatabaseRestore(of: path, to: database).run()
            print("Restored \(path) to \(database)." + (restored.previous.map(Self.text) ?? ""))
            print("The next order number is \(restored.nextNumber); earlier numbers may already be in use.")
        } catch let error as RestoreError {
            throw Failure("\(error)")
        } catch is CocoaError {
            throw Failure("Cannot copy \(path) next to \(database). Check the free space and permissions there.")
        } catch {
            guard let failure = DatabaseFailure(error, of: DatabaseAddress(path: path)) else { throw error }
            throw Failure(failure.description)
        }
    }

    /// Describes the previous database, whose latest changes may be only in its write-ahead log.
    private static func text(previous: String) -> String {
        let log = previous + "-wal"
        let hasLog = FileManager.default.fileExists(atPath: log)
        return " The previous database is \(previous)." + (hasLog ? " Its latest changes are in \(log)." : "")
    }
}

struct Refunds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List refunds that wait for the payment provider, and settle them manually.",
        discussion: """
            A refund waits while the provider cannot be reached. It waits permanently if the ledger that charged the \
            order is lost, for example after a restore without the ledger. Pay such a refund in another way, for \
            example by bank transfer, then settle it here.
            """,
        subcommands: [List.self, Settle.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the waiting refunds, oldest first.")

        @OptionGroup var options: SharedOptions

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let waiting = try await environment.store.read { repositories in
                try repositories.refunds.pending(ledgerId: nil, after: nil, limit: 1_000).map { refund in
                    (refund, try repositories.orders.order(id: refund.orderId, locking: false))
                }
            }
            for (refund, order) in waiting {
                let amount = "\(refund.amount.decimal) \(refund.amount.currency.code)"
                print(
                    "\(refund.id)  \(order?.order.number ?? refund.orderId)  \(amount)  since "
                        + "\(refund.createdAt.formatted(.iso8601))  ledger \(order?.ledgerId ?? "unknown")")
            }
            if waiting.isEmpty { print("No refund is waiting.") }
            try await database.close()
        }
    }

    struct Settle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Record that a refund was paid in another way.",
            discussion: "The server no longer asks the provider for the refund. Do this only if its ledger is lost.")

        @OptionGroup var options: SharedOptions

        @Argument(help: "The refund's id.")
        var id: String

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let refund = try await environment.store.read { [id] repositories in
                try repositories.refunds.pending(ledgerId: nil, after: nil, limit: 1_000).first { $0.id == id }
            }
            guard let refund else {
                throw Failure("No refund \(id.printable) is waiting. List refunds with “pouch-server refunds list”.")
            }
            try await OrderSettlement(
                environment, carts: CartService(environment), payments: PaidElsewhere(),
                encode: StoredAnswer.init(outcome:)
            ).makeRefund(refund)
            print("\(id) of \(refund.amount.decimal) \(refund.amount.currency.code) is settled.")
            try await database.close()
        }
    }
}

/// Replaces the provider for a refund that the shop has paid itself.
private struct PaidElsewhere: PaymentProvider {
    func ledgerId() async throws(PaymentProviderError) -> String { throw .failed }
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome { throw .failed }
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome { throw .failed }
    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {}
}
