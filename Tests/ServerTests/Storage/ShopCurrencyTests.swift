import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import TestDatabase
import Testing

@Suite("The currency of a database", .timeLimit(.minutes(1)))
struct ShopCurrencyTests {
    private let jpy = Currency(code: "JPY")
    private let usd = Currency(code: "USD")

    /// Opens the database as a server does.
    ///
    /// - Returns: the currency of its shop.
    private func open(_ database: TestDatabase, _ currency: Currency?) async throws -> Currency {
        var configuration = ServerConfiguration(database: try database.address)
        configuration.currency = currency
        let (database, _, environment) = try await configuration.open()
        try await database.close()
        return environment.shop.currency
    }

    @Test func `It is that of whoever opened first, and a later one takes it or is refused`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            let first = try await open(database, jpy)
            #expect(first == jpy)
            #expect(try await open(database, nil) == jpy)
            #expect(try await open(database, jpy) == jpy)
            await #expect {
                _ = try await open(database, .eur)
            } throws: { error in
                if case StorageError.currencyMismatch(stored: "JPY", wanted: "EUR") = error { true } else { false }
            }
            #expect(try await open(database, nil) == jpy)
        }
    }

    @Test func `It is the euro where nobody says otherwise, also later`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            let first = try await open(database, nil)
            #expect(first == .eur)
            await #expect(throws: StorageError.self) { _ = try await open(database, jpy) }
            #expect(try await open(database, .eur) == .eur)
        }
    }

    @Test func `Of two that open at once with different ones, one is refused`() async throws {
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
