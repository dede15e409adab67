import Foundation
import PouchData
import PouchManagers
import PouchNetwork
import PouchService

/// A client of one shop, for one person at a time. Its managers are the API of the SDK.
///
///     let pouch = Pouch(server: url)
///     let found = try await pouch.catalog.products(ProductQuery(search: "cardigan"))
///     if let variant = found.items.first?.variants.first { try await pouch.cart.add(sku: variant.sku) }
///
/// Any number of clients may exist in one process. They share only the transports and stores that they are given.
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

    /// A client of a Pouch server.
    ///
    /// - Parameters:
    ///   - server: scheme, host and port, and the path of the server, if any.
    ///   - transport: sends the requests.
    ///   - sessionStore: stores the session beyond the process. One store belongs to one server.
    ///   - store: stores catalogue, cart, orders and pending writes of one server. Without a store they are kept in
    ///     memory, and a cart edit that cannot reach the server fails instead of being queued.
    ///   - cache: a folder for answers and images that can be requested again; nil for no cache on disk.
    ///   - retries: the repetition of requests that are safe to repeat.
    ///   - requestLimit: the number of calls under way at once, at least 1; further ones wait. A screen needs about 8
    ///     at most.
    ///   - freshness: the age at which catalogue data is read again.
    ///   - reportRow: called for each row of a list that could not be read and was left out.
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
        let service = APIWrapper(
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

    /// A client of a LAYERS feed on any web server. It offers the catalogue; all other calls throw `.notOffered`.
    ///
    /// - Parameters:
    ///   - feed: the folder with the files `seasons.json`, `slides.json` and `products.json`.
    ///   - assets: the folder with the images; nil for that of the files.
    ///   - settings: properties that the files do not have, such as the currency.
    ///   - transport: sends the requests.
    ///   - store: stores the catalogue; without a store it is kept in memory.
    ///   - cache: a folder for files and images that can be requested again; nil for no cache on disk.
    ///   - retries: the repetition of failed requests.
    ///   - freshness: the age at which the files are read again.
    ///   - reportRow: called for each row of a file that could not be read and was left out.
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
