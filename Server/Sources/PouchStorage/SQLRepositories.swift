import PouchDomain
import PouchEntities

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
    var rides: any RideRepository { SQLRides(connection: connection) }
    var drivers: any DriverRepository { SQLDrivers(connection: connection) }
}
