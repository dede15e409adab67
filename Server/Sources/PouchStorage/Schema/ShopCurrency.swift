import PouchEntities

/// The currency of a database. Amounts are kept in its minor units, so it is decided once, by whoever opens first.
public enum ShopCurrency {
    /// - Parameter wanted: nil takes what the database has, and the euro in a new one.
    /// - Throws: `StorageError.currencyMismatch`.
    public static func settle(_ wanted: Currency?, in database: any Database) async throws -> Currency {
        let first = wanted ?? .eur
        let stored = try await database.write { connection in
            try connection.run(
                "INSERT INTO shop (singleton, currency) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING",
                [.text(first.code)])
            return try connection.row("SELECT currency FROM shop", [])?.text(0) ?? first.code
        }
        guard let currency = Currency(code: stored) else { throw StorageError.corrupt("the shop's currency") }
        if let wanted, wanted != currency {
            throw StorageError.currencyMismatch(stored: stored, wanted: wanted.code)
        }
        return currency
    }
}
