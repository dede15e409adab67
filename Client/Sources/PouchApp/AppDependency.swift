import Foundation
import PouchClient

/// What the coordinators of a shop work with. It is set at the root of their tree, and flows down from there.
///
/// What is nil does not exist yet, as while the local store is opened: screens show that they load, messages wait.
public struct AppDependency: Sendable {
    public var account: AccountManager?
    public var catalog: CatalogManager?
    public var cart: CartManager?
    public var checkout: CheckoutManager?
    public var orders: OrderManager?
    public var rides: RideManager?
    public var locations: LocationManager?
    public var assets: AssetManager?
    public var connection: ConnectionManager?
    /// Whether the whole catalogue is brought to this device while the shop is open, to be read without its server; for
    /// those whose store outlives the process.
    public var keepsCatalog: Bool
    /// Between two looks at an order whose payment is being settled, or that a kangaroo brings to a guest, who cannot follow
    /// its ride.
    public var statusInterval: Duration
    public var now: @Sendable () -> Date
    public var clock: any Clock<Duration>

    public init(
        account: AccountManager? = nil,
        catalog: CatalogManager? = nil,
        cart: CartManager? = nil,
        checkout: CheckoutManager? = nil,
        orders: OrderManager? = nil,
        rides: RideManager? = nil,
        locations: LocationManager? = nil,
        assets: AssetManager? = nil,
        connection: ConnectionManager? = nil,
        keepsCatalog: Bool = false,
        statusInterval: Duration = .seconds(5),
        now: @escaping @Sendable () -> Date = { .now },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.account = account
        self.catalog = catalog
        self.cart = cart
        self.checkout = checkout
        self.orders = orders
        self.rides = rides
        self.locations = locations
        self.assets = assets
        self.connection = connection
        self.keepsCatalog = keepsCatalog
        self.statusInterval = statusInterval
        self.now = now
        self.clock = clock
    }

    public init(_ client: Pouch, keepsCatalog: Bool = false) {
        self.init(
            account: client.account, catalog: client.catalog, cart: client.cart, checkout: client.checkout,
            orders: client.orders, rides: client.rides, locations: client.locations, assets: client.assets,
            connection: client.connection, keepsCatalog: keepsCatalog)
    }
}
