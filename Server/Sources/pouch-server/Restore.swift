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
            Stop the servers first. The backup is checked and copied; the database in its place stays next to it, under a \
            name with the time. The next server that starts migrates an older backup.

            The payment provider keeps its books: orders since the backup are missing in the shop and paid there. The \
            ledger of the sandbox is a file of its own; leave it where it is.

            The next order gets a number at least 1,000 beyond the last one that was given out, so that no two buyers get \
            the same number.
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "The file that pouch-server backup wrote.", completion: .file())
    var path: String

    func run() async throws {
        let address = try await options.configuration(options.settings()).database
        guard case .sqlite(let database) = address else {
            throw Failure("This command restores SQLite databases. Use psql or pg_restore for PostgreSQL.")
        }
        guard !isFolder(path), !isFolder(database) else { throw Failure("Name files, not folders.") }
        do {
            let restored = try await DatabaseRestore(of: path, to: database).run()
            print("Restored \(path) to \(database)." + (restored.previous.map(Self.text) ?? ""))
            print("The next order is \(restored.nextNumber), since the numbers before it may have been given out.")
        } catch let error as RestoreError {
            throw Failure("\(error)")
        } catch is CocoaError {
            throw Failure("\(path) cannot be copied next to \(database). Check the room and the permissions there.")
        } catch {
            guard let failure = DatabaseFailure(error, of: DatabaseAddress(path: path)) else { throw error }
            throw Failure(failure.description)
        }
    }

    /// The latest changes of a database may be in its write-ahead log alone.
    private static func text(previous: String) -> String {
        let log = previous + "-wal"
        let hasLog = FileManager.default.fileExists(atPath: log)
        return " The previous database is \(previous)." + (hasLog ? " Its latest changes are in \(log)." : "")
    }
}

struct Refunds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List refunds that wait for the payment provider, and settle them by hand.",
        discussion: """
            A refund waits while the provider cannot be reached, and permanently if the ledger that charged the order is \
            lost, for example after a restore without it. Pay such a refund back in another way, by bank transfer for \
            example, then settle it here.
            """,
        subcommands: [List.self, Settle.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the waiting refunds, the oldest first.")

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
            abstract: "Record that a refund was paid back in another way.",
            discussion: "The provider is not asked for it again. Only do this if its ledger is lost.")

        @OptionGroup var options: SharedOptions

        @Argument(help: "The refund's id.")
        var id: String

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let refund = try await environment.store.read { [id] repositories in
                try repositories.refunds.pending(ledgerId: nil, after: nil, limit: 1_000).first { $0.id == id }
            }
            guard let refund else {
                throw Failure("No refund \(id.printable) is waiting. List them: pouch-server refunds list.")
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

/// Stands in for the provider of a refund that the shop has paid back itself.
private struct PaidElsewhere: PaymentProvider {
    func ledgerId() async throws(PaymentProviderError) -> String { throw .failed }
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome { throw .failed }
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome { throw .failed }
    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {}
}
