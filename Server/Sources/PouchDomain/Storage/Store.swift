/// The durable data of a shop, read and written in transactions.
///
/// The closures run on threads of the store, never on the cooperative pool, so they may take their time but must not
/// wait for anything else.
///
/// A module with repositories of its own refines `Repositories`, and `Store` with that type of transaction; the one
/// store of a shop conforms to all of them.
public protocol Store<Transaction>: Sendable {
    associatedtype Transaction: Repositories

    /// Runs the body on one consistent state of the data.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value

    /// Runs the body in one transaction, which is durable when this returns. When the body throws, nothing it did
    /// remains and its error comes out as it is. The body may run more than once.
    ///
    /// - Throws: `OverloadError` when too many wait, or others were in the way too often.
    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value
}

extension Store {
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await write(.serializable, body)
    }
}

/// The state of the data within one transaction.
public protocol Repositories {
    var accounts: any AccountRepository { get }
    var sessions: any SessionRepository { get }
    var keys: any SigningKeyRepository { get }
    var catalog: any CatalogRepository { get }
    var stock: any StockRepository { get }
    var variants: any VariantRepository { get }
    var scheduledPrices: any ScheduledPriceRepository { get }
    var discounts: any DiscountRepository { get }
    var carts: any CartRepository { get }
    var orders: any OrderRepository { get }
    var refunds: any RefundRepository { get }
    var idempotency: any IdempotencyRepository { get }
    var assets: any AssetRepository { get }
    var rideBookings: any RideBookings { get }
}
