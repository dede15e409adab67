import Foundation
import PouchData
import PouchEntities
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
    ///   - server: scheme, host and port, and the path of the server, if any. With an address that is not http or https
    ///     all calls throw `.invalidAddress`.
    ///   - transport: sends the requests.
    ///   - sessionStore: stores the session beyond the process. One store belongs to one server.
    ///   - apiKey: the key of a program that calls `admin`. `sessionStore` is not used then, and a call that needs an
    ///     account or a guest, such as those of the cart, throws `.forbidden` before it sends anything.
    ///   - catalog: returns the source of the catalogue, such as a `FeedSource`. It receives the server's source, which
    ///     is the default.
    ///   - promotions: returns the sources of the promotions, such as `[$0, Advertiser()]`. It receives the source of
    ///     the catalogue, which is the default.
    ///   - assets: the folder with the images; nil for the server's.
    ///   - store: stores catalogue, cart, orders and pending writes of one server. Without a store, they are held in
    ///     memory, and a cart edit that cannot reach the server fails instead of being queued.
    ///   - cache: a folder for responses and images that can be requested again; nil for no cache on disk.
    ///   - network: retries, the number of requests at once, an observer, credentials for a proxy, and more.
    ///   - freshness: the age at which catalogue data is refreshed.
    ///   - reportRow: called for each row of a list that could not be read. Lists of products, orders and rides are
    ///     returned without it, and a `Dated` list names it in `unreadable`; a list of `admin` throws
    ///     `.unreadableAnswer`.
    public init(
        server: URL,
        transport: any Transport = StandardTransport(),
        sessionStore: any SessionStore = MemorySessionStore(),
        apiKey: Secret? = nil,
        catalog: @escaping @Sendable (_ server: any CatalogSource) -> any CatalogSource = { $0 },
        promotions: (@Sendable (_ catalog: any CatalogSource) -> [any PromotionSource])? = nil,
        assets: URL? = nil,
        store: (any LocalStore)? = nil,
        cache: URL? = nil,
        network: NetworkOptions = NetworkOptions(),
        freshness: Freshness = Freshness(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let service = APIWrapper(
            server: server, transport: transport, sessionStore: sessionStore, apiKey: apiKey?.text,
            cache: cache.map { ResponseCache(folder: $0.appending(component: "answers")) }, options: network)
        let folder = assets ?? server.appending(path: "assets")
        let assets = AssetService(
            root: folder, isOfServer: assets == nil, transport: Self.transport(for: folder, web: transport),
            cache: ResponseCache(folder: cache?.appending(component: "assets")), options: network, server: server)
        self.init(
            data: DataManager(
                service: service, catalog: catalog, promotions: promotions, assets: assets,
                store: store ?? MemoryStore(),
                reportRow: reportRow),
            queuesCartEdits: store != nil, freshness: freshness)
    }

    /// A client of a LAYERS feed on any web server or in a local folder. It offers the catalogue; all other calls throw
    /// `.notOffered`.
    ///
    /// - Parameters:
    ///   - feed: the folder with the files `seasons.json`, `slides.json` and `products.json`, on the web or as a file
    ///     URL.
    ///   - assets: the folder with the images; nil for that of the files.
    ///   - settings: properties that the files do not have, such as the currency.
    ///   - transport: sends the requests to the web. Files of a local folder are read without it.
    ///   - store: stores the catalogue; without a store, it is held in memory.
    ///   - cache: a folder for files and images that can be requested again; nil for no cache on disk.
    ///   - network: retries, an observer, credentials, cookies and more.
    ///   - freshness: the age at which the files are refreshed.
    ///   - reportRow: called for each row of a file that could not be read and was skipped.
    public init(
        feed: URL,
        assets: URL? = nil,
        settings: FeedSettings = FeedSettings(),
        transport: any Transport = StandardTransport(),
        store: (any LocalStore)? = nil,
        cache: URL? = nil,
        network: NetworkOptions = NetworkOptions(),
        freshness: Freshness = Freshness(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let catalog = FeedSource(
            feed: feed, settings: settings, transport: transport, cache: cache, network: network, reportRow: reportRow)
        let assets = AssetService(
            root: assets ?? feed, transport: Self.transport(for: assets ?? feed, web: transport),
            cache: ResponseCache(folder: cache?.appending(component: "assets")), options: network,
            server: feed)
        self.init(
            data: DataManager(catalog: catalog, assets: assets, store: store ?? MemoryStore()),
            queuesCartEdits: false, freshness: freshness)
    }

    fileprivate static func transport(for folder: URL, web: any Transport) -> any Transport {
        folder.isFileURL ? FolderTransport(folder, web: web) : web
    }

    /// A client over a custom data layer.
    ///
    /// - Parameters:
    ///   - data: the calls and the local store.
    ///   - queuesCartEdits: whether a cart edit that cannot reach the server is queued in the store; if not, it fails.
    ///   - freshness: the age at which catalogue data is refreshed.
    ///   - clock: measures the intervals and pauses of the managers.
    ///   - now: the time of day.
    public init(
        data: DataManager,
        queuesCartEdits: Bool = false,
        freshness: Freshness = Freshness(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        account = AccountManager(data: data)
        catalog = CatalogManager(data: data, freshness: freshness, now: now, clock: clock)
        connection = ConnectionManager(data: data, clock: clock)
        cart = CartManager(
            data: data, account: account, offlineEdits: queuesCartEdits ? .queue(until: connection) : .fail,
            clock: clock,
            now: now)
        checkout = CheckoutManager(data: data, account: account, cart: cart, clock: clock)
        orders = OrderManager(data: data, clock: clock)
        rides = RideManager(data: data, account: account)
        locations = LocationManager(data: data, now: now)
        assets = AssetManager(data: data)
        admin = AdminManager(data: data, clock: clock)
    }
}

extension FeedSource {
    /// The feed in a folder, for a shop whose catalogue is there and whose carts and orders are on a server.
    ///
    ///     let pouch = Pouch(server: url, catalog: { _ in FeedSource(feed: folder) }, assets: folder)
    ///
    /// - Parameters:
    ///   - feed: the folder with the files `seasons.json`, `slides.json` and `products.json`, on the web or as a file
    ///     URL.
    ///   - settings: properties that the files do not have, such as the currency.
    ///   - transport: sends the requests to the web. Files of a local folder are read without it.
    ///   - cache: a folder for files that can be requested again; nil for no cache on disk.
    ///   - network: retries, an observer, credentials, cookies and more.
    ///   - reportRow: called for each row of a file that could not be read and was skipped.
    public init(
        feed: URL,
        settings: FeedSettings = FeedSettings(),
        transport: any Transport = StandardTransport(),
        cache: URL? = nil,
        network: NetworkOptions = NetworkOptions(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let service = FeedService(
            feed: feed, transport: Pouch.transport(for: feed, web: transport),
            cache: ResponseCache(folder: cache?.appending(component: "answers")),
            options: network)
        self.init(service, settings: settings, reportRow: reportRow)
    }
}
