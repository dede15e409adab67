import Foundation
import PouchData
import PouchManagers
import PouchNetwork
import PouchService

/// A shop and all there is to do with it, for one person at a time.
///
/// Builds the layers and hands out the managers. Any number of clients may live in one process; they share nothing but what
/// they are given.
public struct Pouch: Sendable {
    public let account: AccountManager
    public let catalog: CatalogManager
    public let cart: CartManager
    public let checkout: CheckoutManager
    public let orders: OrderManager
    public let rides: RideManager
    public let locations: LocationManager
    public let assets: AssetManager
    public let admin: AdminManager
    public let connection: ConnectionManager

    /// A shop on a Pouch server.
    ///
    /// - Parameters:
    ///   - server: scheme, host and port, and the path under which the server stands, if any.
    ///   - transport: what brings the requests there.
    ///   - sessionStore: where the session outlives the process; one store for one server.
    ///   - store: where catalogue, cart, orders and pending writes are kept; one store for one server. Without one they are
    ///     kept in memory, and an edit to the cart that cannot reach the server fails instead of being queued.
    ///   - cache: a folder for answers and images that can be fetched again; without one they are not kept.
    ///   - retries: when a request that is safe to repeat is sent again.
    ///   - requestLimit: how many calls are under way at once, at least 1; further ones wait. A screen asks for about 8 at most.
    ///   - freshness: how old what the catalogue shows may be.
    ///   - reportRow: told of each row of a list that could not be read, and was left out.
    public init(
        server: URL,
        transport: any Transport = URLSessionTransport(),
        sessionStore: any SessionStore = MemorySessionStore(),
        store: (any LocalStore)? = nil,
        cache: URL? = nil,
        retries: RetryPolicy = RetryPolicy(),
        requestLimit: Int = 8,
        freshness: Freshness = Freshness(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let service = PouchService(
            server: server, transport: transport, sessionStore: sessionStore,
            cache: cache.map { ResponseCache(folder: $0.appending(component: "answers")) }, retries: retries,
            requestLimit: requestLimit)
        let assets = AssetService(
            root: server.appending(path: "assets"), transport: transport,
            cache: ResponseCache(folder: cache?.appending(component: "assets")), retries: retries)
        self.init(
            data: DataManager(
                service: service, assets: assets, store: store ?? MemoryStore(), reportRow: reportRow),
            queuesCartEdits: store != nil, freshness: freshness)
    }

    /// A shop that is a LAYERS feed on any web server: its catalogue can be browsed, and all else is `.notOffered`.
    ///
    /// The feed is the folder of the files `seasons.json`, `slides.json` and `products.json`; the assets are the folder of
    /// its images, nil for that of the files. The settings say what the files do not, as the currency. The rest is as for
    /// a server.
    public init(
        feed: URL,
        assets: URL? = nil,
        settings: FeedSettings = FeedSettings(),
        transport: any Transport = URLSessionTransport(),
        store: (any LocalStore)? = nil,
        cache: URL? = nil,
        retries: RetryPolicy = RetryPolicy(),
        freshness: Freshness = Freshness(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let service = FeedService(
            feed: feed, transport: transport,
            cache: ResponseCache(folder: cache?.appending(component: "answers")), retries: retries)
        let assets = AssetService(
            root: assets ?? feed, transport: transport,
            cache: ResponseCache(folder: cache?.appending(component: "assets")), retries: retries)
        self.init(
            data: DataManager(
                feed: service, settings: settings, assets: assets, store: store ?? MemoryStore(), reportRow: reportRow),
            queuesCartEdits: false, freshness: freshness)
    }

    private init(data: DataManager, queuesCartEdits: Bool, freshness: Freshness) {
        account = AccountManager(data: data)
        catalog = CatalogManager(data: data, freshness: freshness)
        connection = ConnectionManager(data: data)
        cart = CartManager(data: data, account: account, outage: queuesCartEdits ? .queue(until: connection) : .fail)
        checkout = CheckoutManager(data: data, account: account, cart: cart)
        orders = OrderManager(data: data)
        rides = RideManager(data: data, account: account)
        locations = LocationManager(data: data)
        assets = AssetManager(data: data)
        admin = AdminManager(data: data)
    }
}
