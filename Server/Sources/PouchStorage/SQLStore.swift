import PouchDomain
import PouchEntities

/// The domain's store on any SQL database.
public struct SQLStore: Store {
    private let database: any Database
    private let currency: Currency
    private let time: any TimeSource

    /// - Parameter currency: the shop's; amounts in the catalogue and in carts are in it.
    public init(_ database: any Database, currency: Currency, time: any TimeSource = SystemTime()) {
        self.database = database
        self.currency = currency
        self.time = time
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(repositories($0)) }
    }

    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await database.write(isolation) { try body(repositories($0)) }
    }

    private func repositories(_ connection: any SQLConnection) -> SQLRepositories {
        SQLRepositories(connection: connection, currency: currency, time: time)
    }
}

struct SQLRepositories: Repositories {
    let connection: any SQLConnection
    let currency: Currency
    let time: any TimeSource

    var accounts: any AccountRepository { SQLAccounts(connection: connection) }
    var sessions: any SessionRepository { SQLSessions(connection: connection) }
    var keys: any SigningKeyRepository { SQLSigningKeys(connection: connection) }
    var catalog: any CatalogRepository { SQLCatalog(connection: connection, currency: currency) }
    var stock: any StockRepository { SQLStock(connection: connection, time: time) }
    var variants: any VariantRepository { SQLVariants(connection: connection, currency: currency, time: time) }
    var scheduledPrices: any ScheduledPriceRepository {
        SQLScheduledPrices(connection: connection, currency: currency)
    }
    var discounts: any DiscountRepository { SQLDiscounts(connection: connection, currency: currency) }
    var carts: any CartRepository { SQLCarts(connection: connection, currency: currency) }
    var orders: any OrderRepository { SQLOrders(connection: connection) }
    var refunds: any RefundRepository { SQLRefunds(connection: connection) }
    var idempotency: any IdempotencyRepository { SQLIdempotency(connection: connection) }
    var imports: any ImportRepository { SQLImports(connection: connection, currency: currency) }
    var assets: any AssetRepository { SQLAssets(connection: connection) }
}
