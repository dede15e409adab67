import Benchmarking
import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchServer
import PouchStorage
import ServerTesting
import Synchronization

/// Compares checkouts that store their events with checkouts whose events are left out, without HTTP, so that the share
/// of the events is larger than in a running shop.
///
/// The comparison needs no switch in the server: its database leaves out the statement that stores an event.
struct OutboxCost {
    private static let rounds = 11
    private static let checkouts = 1_000
    private static let clients = 64

    let configuration: ServerConfiguration

    func show() async throws {
        let feed = CardiganFeed(handle: "outbox", sku: "O", variants: 1_000)
        let (database, store, environment) = try await configuration.open()
        let upload = FeedUpload(.shopifyCSV, for: environment.shop, digests: environment.digests)
        try await upload.append(Data(feed.csv.utf8))
        _ = try await ImportService(environment, store: store).run(upload.reader())
        try await database.close()
        let without = withoutEvents
        try await withServer(configuration) { [without] stored, _ in
            let services = stored.services
            try await withServer(without) { left, _ in
                var (with, apart): ([Double], [Double]) = ([], [])
                for _ in 0..<Self.rounds {
                    with.append(try await rate(services))
                    apart.append(try await rate(left.services))
                }
                let shares = zip(with, apart).map { 1 - $0 / $1 }
                say("Checkouts per second without HTTP; medians of \(Self.rounds) alternating rounds\n")
                sayRow("", 20, ["events", "without", "cost"], 10)
                sayRow(
                    "", 20,
                    ["\(Int(with.median))", "\(Int(apart.median))", String(format: "%.1f %%", shares.median * 100)], 10)
                say("\nGoal: at most 3 % of a checkout over HTTP\n")
            }
        }
    }

    private var withoutEvents: ServerConfiguration {
        var configuration = configuration
        configuration.instrument = { EventlessDatabase(database: $0) }
        return configuration
    }

    private func rate(_ services: ShopServices) async throws -> Double {
        let (checkout, session) = (services.checkout, try await services.accounts.startGuestSession())
        let principal = Principal(sessionId: session.id, kind: .guest, ownerId: session.id)
        let next = Counter()
        let total = try await services.store.read {
            try checkout.preview(.cardigan("O-0"), for: principal, in: $0).totals.total
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients {
                group.addTask {
                    while let number = next.next(below: Self.checkouts) {
                        _ = try await checkout.buyNow(
                            principal, purchase: .cardigan("O-\(number % 1_000)"),
                            terms: PaymentTerms(
                                method: .card(token: "tok_ok"), expectedTotal: total, email: "ann@example.com"),
                            request: .init(
                                ownerId: principal.ownerId, key: UUID().uuidString, fingerprint: Data()))
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(Self.checkouts) / start.elapsedSeconds
    }
}

extension DirectPurchase {
    fileprivate static func cardigan(_ sku: String) -> DirectPurchase {
        DirectPurchase(
            lines: [(sku, 1)], methodId: "standard",
            address: Address(
                name: "Ann", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE"),
            discount: nil)
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    /// - Returns: nil once the bound is reached.
    func next(below bound: Int) -> Int? {
        number.withLock { number in
            guard number < bound else { return nil }
            number += 1
            return number - 1
        }
    }
}

/// A database that stores no events.
private struct EventlessDatabase: Database {
    let database: any Database

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.write(isolation) { try body(EventlessConnection(connection: $0)) }
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws { try await database.close() }
}

private struct EventlessConnection: SQLConnection {
    let connection: any SQLConnection

    var dialect: SQLDialect { connection.dialect }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        sql.hasPrefix("INSERT INTO events ") ? 1 : try connection.run(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { try connection.rows(sql, arguments) }

    func script(_ sql: String) throws { try connection.script(sql) }

    func notify(_ text: String) throws { try connection.notify(text) }
}
