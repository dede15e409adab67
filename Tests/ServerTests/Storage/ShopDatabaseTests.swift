import ServerTesting
import Testing

@Suite("The currency of a database", .timeLimit(.minutes(5)), .inFolder)
struct ShopCurrencyTests {
    private let jpy = Currency(code: "JPY")
    private let usd = Currency(code: "USD")
    private let database: TestDatabase

    init() async throws { database = try await TestDatabase(in: TemporaryFolder.current) }

    /// Opens the database as the server does.
    ///
    /// - Returns: the currency of its shop.
    private func open(_ currency: Currency?) async throws -> Currency {
        var configuration = ServerConfiguration(database: try self.database.address)
        configuration.currency = currency
        let (database, _, environment) = try await configuration.open()
        try await database.close()
        return environment.shop.currency
    }

    @Test func `The first server sets the currency, and later ones adopt it or are refused`() async throws {
        for wanted in [jpy, nil, jpy] { #expect(try await open(wanted) == jpy) }
        await #expect(throws: StorageError.currencyMismatch(stored: "JPY", wanted: "EUR")) { try await open(.eur) }
        #expect(try await open(nil) == jpy)
    }

    @Test func `The currency is the euro by default, and stays the euro`() async throws {
        #expect(try await open(nil) == .eur)
        await #expect(throws: StorageError.self) { try await open(jpy) }
        #expect(try await open(.eur) == .eur)
    }

    @Test func `Of concurrent servers with two currencies, those with one of them are refused`() async throws {
        try await database.address.open().close()
        let found = try await parallel(8) { index -> Currency? in
            do { return try await open(index.isMultiple(of: 2) ? jpy : usd) } catch is StorageError { return nil }
        }
        #expect(Set(found.compactMap(\.self)).count == 1)
        #expect(found.count { $0 == nil } == 4)
    }
}

@Suite("Constraints against negative stock", .inShop([.stocked("cap", stock: 10)]))
struct StockWallTests {
    private let shop = TestShop.current

    @Test(arguments: [
        "UPDATE stock SET on_hand = -1", "UPDATE stock SET held = -1", "UPDATE stock SET held = 11",
        "UPDATE stock SET on_hand = on_hand - 11", "UPDATE cart_lines SET quantity = 0",
        "UPDATE cart_lines SET quantity = 1000",
    ])
    func `The database refuses invalid quantities`(sql: String) async throws {
        try await shop.guest().add("cap").good()
        await #expect(throws: (any Error).self) { try await shop.database { try $0.script(sql) } }
        #expect(try await shop.available("cap") == 10)
    }

    @Test(.inShop([.stocked("cap", stock: 3)])) func `Every stock movement beyond its limit is refused`() async throws {
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

extension [StockUnits] {
    static func one(_ sku: String, _ quantity: Int) -> [StockUnits] { [StockUnits(sku: sku, quantity: quantity)] }
}
