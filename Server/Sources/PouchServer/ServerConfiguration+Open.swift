import PouchDomain
import PouchStorage

extension ServerConfiguration {
    /// Opens the database, with its schema up to date, and gives what the rules need to work on it.
    ///
    /// - Throws: `StorageError`; `UnavailableError` when a database server cannot be reached.
    public func open() async throws -> (database: any Database, environment: DomainEnvironment) {
        let database = instrument(try await database.open(migrates: migrates))
        let currency = try await ShopCurrency.settle(shop?.currency ?? currency, in: database)
        let environment = DomainEnvironment(
            store: SQLStore(database, currency: currency, time: time),
            time: time,
            random: SystemRandom(),
            digests: CryptoDigests(),
            shop: shop ?? .standard(currency: currency),
            city: city
        )
        return (database, environment)
    }
}
