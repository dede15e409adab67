import PouchPostgres
import ServerTesting
import Synchronization
import Testing

@Suite("Locked rows", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(5)))
struct RowLockTests {
    enum Row: CaseIterable, Sendable {
        case account, session, order, ride, webhook
    }

    private struct Ids: Sendable {
        let account, session, order, ride, webhook: String

        func lock(_ row: Row, in repositories: ShopDatabase.Transaction) throws {
            let isFound =
                switch row {
                case .account: try repositories.accounts.account(id: account, locking: true) != nil
                case .session: try repositories.sessions.session(id: session, locking: true) != nil
                case .order: try repositories.orders.order(id: order, locking: true) != nil
                case .ride: try repositories.rides.ride(id: ride, locking: true) != nil
                case .webhook: try repositories.webhooks.webhook(id: webhook, locking: true) != nil
                }
            try #require(isFound)
        }
    }

    /// The first transaction may have written other rows, which the snapshot of the second does not contain.
    @Test(arguments: Row.allCases)
    func `A serializable transaction that waited for a row runs again, even for a mere lock`(row: Row) async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            guard case .postgres(var address) = configuration.database else { return }
            // A busy machine may take longer to see the second transaction wait than a customer would.
            (address.lockTime, address.statementTime) = (.seconds(240), .seconds(240))
            configuration.database = .postgres(address)
        }
        try await TestShop.open(kangaroos: [], [.stocked("cap")], configure: configure) { shop in
            let rider = try await shop.customer()
            let ids = Ids(
                account: try rider.accountId, session: try #require(rider.session?.id),
                order: try await rider.order().id, ride: try await rider.requestRide().good().id,
                webhook: try await shop.admin().addWebhook("https://example.com/a").good().webhook.id)
            let first = HeldTransaction(shop.store) { try ids.lock(row, in: $0) }
            await first.waitForStart()
            let runs = Mutex(0)
            async let second: Void = shop.store.write { repositories in
                runs.withLock { $0 += 1 }
                // The first read takes the snapshot.
                _ = try repositories.accounts.account(email: "nobody@example.com")
                try ids.lock(row, in: repositories)
            }
            try await first.during { try await eventually { try await shop.waitingSessions() == 1 } }
            try await first.commit()
            try await second
            #expect(runs.withLock { $0 } == 2)
        }
    }
}
