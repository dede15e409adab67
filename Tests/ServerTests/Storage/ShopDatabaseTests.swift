import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Testing

@Suite("The currency of a database", .timeLimit(.minutes(5)))
struct ShopCurrencyTests {
    private let jpy = Currency(code: "JPY")
    private let usd = Currency(code: "USD")

    /// Opens the database as the server does.
    ///
    /// - Returns: the currency of its shop.
    private func open(_ database: TestDatabase, _ currency: Currency?) async throws -> Currency {
        var configuration = ServerConfiguration(database: try database.address)
        configuration.currency = currency
        let (database, _, environment) = try await configuration.open()
        try await database.close()
        return environment.shop.currency
    }

    @Test func `The first server sets the currency, and later ones adopt it or are refused`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            for wanted in [jpy, nil, jpy] { #expect(try await open(database, wanted) == jpy) }
            await #expect(throws: StorageError.currencyMismatch(stored: "JPY", wanted: "EUR")) {
                try await open(database, .eur)
            }
            #expect(try await open(database, nil) == jpy)
        }
    }

    @Test func `The currency is the euro by default, and stays the euro`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            #expect(try await open(database, nil) == .eur)
            await #expect(throws: StorageError.self) { try await open(database, jpy) }
            #expect(try await open(database, .eur) == .eur)
        }
    }

    @Test func `Of concurrent servers with two currencies, those with one of them are refused`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            try await database.address.open().close()
            let found = try await parallel(8) { index -> Currency? in
                do { return try await open(database, index.isMultiple(of: 2) ? jpy : usd) } catch is StorageError {
                    return nil
                }
            }
            #expect(Set(found.compactMap(\.self)).count == 1)
            #expect(found.count { $0 == nil } == 4)
        }
    }
}

@Suite("Constraints against negative stock")
struct StockWallTests {
    @Test(arguments: [
        "UPDATE stock SET on_hand = -1", "UPDATE stock SET held = -1", "UPDATE stock SET held = 11",
        "UPDATE stock SET on_hand = on_hand - 11", "UPDATE cart_lines SET quantity = 0",
        "UPDATE cart_lines SET quantity = 1000",
    ])
    func `The database refuses invalid quantities`(sql: String) async throws {
        try await TestShop.open([.stocked("cap", stock: 10)]) { shop in
            try await shop.guest().add("cap").good()
            await #expect(throws: (any Error).self) { try await shop.database { try $0.script(sql) } }
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `Every stock movement beyond its limit is refused`() async throws {
        try await TestShop.open([.stocked("cap", stock: 3)]) { shop in
            let store = shop.store
            let refused = try await store.write { repositories in
                try [2, 2, 1, 1].map { try repositories.stock.hold(.one("cap", $0)).isEmpty }
            }
            #expect(refused == [false, true, false, true])
            for step in [
                { try $0.stock.sell(.one("cap", 4)) }, { try $0.stock.release(.one("cap", 4)) },
                { try $0.stock.sell(.one("unknown", 1)) }, { try $0.stock.putBack(.one("unknown", 1)) },
            ] as [@Sendable (any Repositories) throws -> Void] {
                await #expect(throws: (any Error).self) { try await store.write { try step($0) } }
            }
            try await store.write { try $0.stock.sell(.one("cap", 2)) }
            try await store.write { try $0.stock.release(.one("cap", 1)) }
            #expect(try await shop.available("cap") == 1)
        }
    }
}

extension [StockUnits] {
    static func one(_ sku: String, _ quantity: Int) -> [StockUnits] { [StockUnits(sku: sku, quantity: quantity)] }
}

extension SQLConnection {
    /// Changes something, and sends a notification.
    fileprivate func change(notifying text: String, _ reach: NotificationReach) throws {
        try notify(text, reach)
        try run("UPDATE catalog_version SET version = version + 1", [])
    }
}

@Suite("Notifications of transactions", .timeLimit(.minutes(5)))
struct NotificationTests {
    private struct Refused: Error {}

    private func open(
        _ body: @escaping @Sendable (_ database: any Database, _ another: any Database) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let address = try await TestDatabase(in: folder).address
            let (database, another) = (try address.connect(), try address.connect())
            try await body(database, another)
            try await another.close()
            try await database.close()
        }
    }

    /// Listens from now on; on a server, once the connection of the first listener is there.
    private func listen(_ database: any Database) async throws -> AsyncStream<DatabaseNotification> {
        let notifications = database.notifications()
        guard TestDatabase.isPostgres else { return notifications }
        for await notification in notifications {
            #expect(notification == .gap)
            break
        }
        return notifications
    }

    private func texts(_ notifications: AsyncStream<DatabaseNotification>, until last: String) async -> [String] {
        var texts: [String] = []
        for await case .text(let text) in notifications {
            texts.append(text)
            if text == last { break }
        }
        return texts
    }

    @Test(arguments: [NotificationReach.process, .everyone])
    func `Listeners hear what a transaction sent once it is committed, and nothing of one that was rolled back`(
        reach: NotificationReach
    ) async throws {
        try await open { database, _ in
            let (one, other) = (try await listen(database), database.notifications())
            try? await database.write { connection in
                try connection.notify("never", reach)
                throw Refused()
            }
            try await database.write { connection in
                try connection.notify("first", reach)
                try connection.change(notifying: "it's second", reach)
            }
            // Also a transaction without other statements.
            try await database.write { try $0.notify("empty", reach) }
            try await database.write { try $0.change(notifying: "last", reach) }
            for listener in [one, other] {
                #expect(await texts(listener, until: "last") == ["first", "it's second", "empty", "last"])
            }
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `Other processes hear it, and learn that they may have missed something after a lost connection`() async throws
    {
        try await open { database, another in
            let listener = try await listen(another)
            try await database.write { try $0.notify("own", .process) }
            try await database.write { try $0.change(notifying: "before", .everyone) }
            #expect(await texts(listener, until: "before") == ["before"])
            _ = try await database.write { connection in
                try connection.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE query LIKE 'LISTEN%' AND datname = current_database()
                    """, [])
            }
            for await notification in listener {
                #expect(notification == .gap)
                break
            }
            try await database.write { try $0.change(notifying: "after", .everyone) }
            #expect(await texts(listener, until: "after") == ["after"])
        }
    }

    @Test func `Listening ends when the database is closed`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder).address.connect()
            let notifications = try await listen(database)
            try await database.close()
            for await _ in notifications {}
        }
    }
}

/// The number of statements that a request takes.
struct StatementTests {
    @Test(arguments: [1, 50])
    func `A checkout takes at most 12 statements, and the first also reserves numbers`(lines: Int) async throws {
        try await shop(lines) { shop, buyer in
            try await buyer.ship().good()
            let total = try await buyer.cart().totals.total.amount
            let transactions = try await RecordingDatabase.transactions {
                try await buyer.checkout(total: total).good()
            }
            #expect(transactions.count == 3)
            #expect(transactions.joined().count <= 13, "\(transactions.flatMap { $0.map(\.sql) })")
            #expect(transactions.joined().contains { $0.sql.contains("INSERT INTO orders") })
        }
    }

    @Test func `A guest's discount code adds four statements: a read and the counts in total, per buyer and address`()
        async throws
    {
        try await shop(1) { shop, buyer in
            try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            try await buyer.ship().good()
            try await buyer.discount("SHIP").good()
            let total = try await buyer.cart().totals.total.amount
            let transactions = try await RecordingDatabase.transactions {
                try await buyer.checkout(total: total).good()
            }
            #expect(transactions.joined().count <= 17, "\(transactions.flatMap { $0.map(\.sql) })")
            #expect(transactions.joined().contains { $0.sql.contains("INSERT INTO discount_uses") })
        }
    }

    @Test(arguments: [true, false])
    func `A write to a cart of 500 lines takes as many statements as to an empty cart`(isMinimal: Bool) async throws {
        let counts = try await parallel(2) { index in
            let counts = Box<[Int]>()
            try await shop([0, 499][index]) { _, buyer in
                await counts.set(try await writes(by: buyer, isMinimal: isMinimal))
            }
            return try #require(await counts.value)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].allSatisfy { $0 > 0 })
    }

    @Test func `A minimal write to a line of a long cart reads the session and the head, and writes line and head`()
        async throws
    {
        try await shop(40) { _, buyer in
            let minimal = [HeaderName.prefer: "return=minimal"]
            let transactions = try await RecordingDatabase.transactions {
                try await buyer.set("thing-20", to: 3, headers: minimal)
            }
            let statements = transactions.joined().map(\.sql)
            #expect(statements.count == 4, "\(statements)")
            #expect(statements[1].contains("FROM carts") || statements[1].contains("JOIN carts"))
            #expect(statements[2].contains("INSERT INTO cart_lines") && statements[3].contains("UPDATE carts"))
        }
    }

    @Test func `Merging two long carts takes as many statements as merging two short ones`() async throws {
        let counts = try await parallel(2) { index in
            let counts = Box<Int>()
            let (common, own) = ([1, 60][index], [1, 40][index])
            try await shop(common + own) { shop, guest in
                let account = try await shop.customer()
                for number in 0..<common { try await account.add("thing-\(number)").good() }
                try await account.add("more").good()
                let request = SignInRequest(email: "ada@example.com", password: .password)
                let transactions = try await RecordingDatabase.transactions {
                    try await guest.call(Contract.signIn, request).good()
                }
                await counts.set(transactions.joined().count)
                let cart = try await account.cart()
                let added = (common..<common + own).map { "thing-\($0)" }
                #expect(cart.lines.map(\.sku) == (0..<common).map { "thing-\($0)" } + ["more"] + added)
                #expect(
                    cart.lines.map(\.quantity) == Array(repeating: 2, count: common)
                        + Array(repeating: 1, count: own + 1))
            }
            return try #require(await counts.value)
        }
        #expect(counts[0] == counts[1])
    }

    @Test func `Writes to the carts of neighbouring guests do not conflict`() async throws {
        try await shop(1) { shop, _ in
            let guests = try await parallel(24) { _ in try await shop.guest() }
            let transactions = try await RecordingDatabase.transactions {
                for _ in 0..<4 {
                    let statuses = try await parallel(guests.count) { try await guests[$0].add("more").status }
                    #expect(Set(statuses) == [200])
                }
            }
            // A transaction that runs again is recorded again.
            #expect(transactions.count == 4 * guests.count)
        }
    }

    @Test func `Pages of the administration read no more for names, keys and the number of an order`() async throws {
        try await TestShop.open(configure: { $0.instrument = { RecordingDatabase($0) } }) { shop in
            let order = try await shop.customer().order()
            let admin = try await shop.staff(.owner)
            let visitor = WebVisitor(shop, session: admin.session)
            func statements(of address: String) async throws -> [String] {
                // The first visit may fill caches.
                _ = try await visitor.get(address)
                return try await RecordingDatabase.transactions {
                    let status = try await visitor.get(address).status
                    #expect(status < 400, "\(address)")
                }.joined().map(\.sql)
            }
            for address in ["/admin/products", "/admin/products/new", "/admin/discounts", "/admin/discounts/new"] {
                let found = try await statements(of: address)
                let counts = found.filter { $0.contains("COUNT(*)") && $0.contains("all_products") }
                #expect(!found.isEmpty && counts.isEmpty, "\(address)")
            }
            let search = try await statements(of: "/admin/search?q=\(order.number)")
            #expect(!search.isEmpty && !search.contains { $0.contains("all_products") })
            var counts: [Int] = []
            for name in ["one", "two", "three"] {
                _ = try await admin.newKey([.readOrders], name: name).good()
                counts.append(try await statements(of: "/admin/keys").count)
            }
            #expect(Set(counts).count == 1, "\(counts)")
            let keys = try await visitor.get("/admin/keys")
            #expect(keys.words.contains("three") && keys.words.contains("Staff"))
        }
    }

    /// The statements for adding, changing and removing a line, and for choosing the shipping.
    private func writes(by buyer: Caller, isMinimal: Bool) async throws -> [Int] {
        let headers = isMinimal ? [HeaderName.prefer: "return=minimal"] : [:]
        let writes: [() async throws -> Int] = [
            { try await buyer.add("more", headers: headers).status },
            { try await buyer.set("more", to: 3, headers: headers).status },
            { try await buyer.call(Contract.removeCartLine, path: ["sku": "more"], headers: headers).status },
            {
                try await buyer.call(
                    Contract.setCartShipping,
                    ShippingRequest(methodId: "standard", address: AddressInput(.sample)), headers: headers
                ).status
            },
        ]
        var counts: [Int] = []
        for write in writes {
            let transactions = try await RecordingDatabase.transactions {
                let status = try await write()
                #expect(status == 200)
            }
            counts.append(transactions.joined().count)
        }
        return counts
    }

    /// Opens a shop with a guest whose cart has the given number of lines.
    private func shop(_ lines: Int, _ body: @escaping @Sendable (TestShop, Caller) async throws -> Void) async throws {
        let skus = (0..<lines).map { "thing-\($0)" }
        try await TestShop.open(
            (skus + ["more"]).enumerated().map { .stocked($1, line: $0 + 1) },
            configure: { $0.instrument = { RecordingDatabase($0) } }
        ) { shop in
            let buyer = try await shop.guest()
            for sku in skus { try await buyer.add(sku, headers: [HeaderName.prefer: "return=minimal"]) }
            try #require(try await buyer.cart().lines.count == lines)
            try await body(shop, buyer)
        }
    }
}
