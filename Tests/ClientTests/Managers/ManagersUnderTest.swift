import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchJSON
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Synchronization

/// The managers over a stub, composed as in an app.
struct ManagersUnderTest {
    let service: APIWrapper
    let data: DataManager
    let account: AccountManager
    let connection: ConnectionManager
    let cart: CartManager
    let checkout: CheckoutManager
    let orders: OrderManager
    let rides: RideManager
    let locations: LocationManager
    let admin: AdminManager

    /// - Parameters:
    ///   - local: the local store. With one, edits of the cart are queued.
    ///   - clock: the clock of the connection and the cart.
    init(
        over transport: any Transport,
        store: any SessionStore = MemorySessionStore(),
        local: (any LocalStore)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        serviceClock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date.sample },
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) throws {
        service = try makeService(over: transport, store: store, clock: serviceClock)
        data = DataManager(
            service: service, store: local ?? MemoryStore(), reportRow: reportRow, now: now, makeKey: makeKey)
        account = AccountManager(data: data)
        connection = ConnectionManager(data: data, clock: clock, random: { 1 })
        cart = CartManager(
            data: data, account: account, offlineEdits: local == nil ? .fail : .queue(until: connection), clock: clock,
            now: now)
        checkout = CheckoutManager(data: data, account: account, cart: cart, clock: clock)
        orders = OrderManager(data: data)
        rides = RideManager(data: data, account: account)
        locations = LocationManager(data: data, now: now)
        admin = AdminManager(data: data)
    }

    init(
        over transport: any Transport, as shopper: Shopper, local: (any LocalStore)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date.sample }
    ) throws {
        try self.init(
            over: transport, store: MemorySessionStore(Fixture.data(shopper.session)), local: local, clock: clock,
            now: now)
    }
}

extension RecordingTransport {
    /// Each request gets the next of these answers, and later ones are cancelled.
    convenience init(_ answers: [Result<NetworkResponse, NetworkError>]) {
        let next = Mutex(answers[...])
        self.init { _ throws(NetworkError) in
            try next.withLock { $0.popFirst() ?? .failure(.cancelled) }.get()
        }
    }
}

extension NetworkRequest {
    /// Empty without a body.
    var bodyText: String { String(decoding: body ?? Data(), as: UTF8.self) }
}

/// The error that a call throws; nil if the call succeeds.
func thrownError(_ call: () async throws -> some Sendable) async -> DataError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? DataError
    }
}

/// The reason of the error that a call throws; nil if the call succeeds.
func thrownReason(_ call: () async throws -> some Sendable) async -> DataError.Reason? {
    await thrownError(call)?.reason
}

extension ManagersUnderTest {
    /// The managers of a shopper whose cart was read.
    static func opened(
        over transport: any Transport, as shopper: Shopper = .ada, local: any LocalStore,
        clock: any Clock<Duration> = ManualClock(), now: @escaping @Sendable () -> Date = { Date.sample }
    ) async throws -> ManagersUnderTest {
        let managers = try ManagersUnderTest(over: transport, as: shopper, local: local, clock: clock, now: now)
        try await managers.cart.refresh()
        return managers
    }

    /// A cart that can be bought.
    func fillCart(_ sku: String, quantity: Int = 1) async throws -> Cart {
        try await cart.add(sku: sku, quantity: quantity)
        return try await cart.setShipping(methodId: "standard", to: .sample())
    }
}

extension MemoryStore {
    /// A store with these products.
    static func holding(_ skus: String...) async -> MemoryStore { await holding(skus.map { Fixture.product(sku: $0) }) }

    static func holding(_ products: [Product]) async -> MemoryStore {
        let store = MemoryStore()
        await store.merge(products)
        return store
    }
}

extension CartManager {
    /// The first state that meets the condition.
    func state(where condition: (CartState) -> Bool) async -> CartState? {
        for await state in states() {
            if let state, condition(state) { return state }
        }
        return nil
    }

    /// The next update, if it is a refusal.
    func nextRefusal() async -> (edit: CartEdit, reason: DataError.Reason)? {
        var updates = updates().makeAsyncIterator()
        guard case .refused(let edit, let error)? = await updates.next() else { return nil }
        return (edit, error.reason)
    }
}

extension Cart {
    /// Each line as text, such as `a 2`.
    var quantities: [String] { lines.map { "\($0.sku) \($0.quantity)" } }
}

/// The store and the clock of a catalogue, which outlive its manager as on a device.
struct CatalogUnderTest {
    let time = ManualClock()
    let store = MemoryStore()

    func catalog(over transport: any Transport, freshness: Freshness = Freshness()) throws -> CatalogManager {
        manager(DataManager(service: try makeService(over: transport), store: store), freshness)
    }

    func feedCatalog(_ web: WebFolder, freshness: Freshness = Freshness()) throws -> CatalogManager {
        manager(try SampleFeed.data(web, store: store), freshness)
    }

    private func manager(_ data: DataManager, _ freshness: Freshness) -> CatalogManager {
        CatalogManager(data: data, freshness: freshness, now: { [time] in time.date }, clock: time, random: { 0 })
    }

    /// A shop that can be made unreachable.
    static func shop(gate: Gate? = nil) -> WebFolder {
        let web = WebFolder(gate: gate)
        web.put(Fixture.text(Page(items: [Season.sample(id: "71")])), at: "/v1/seasons")
        web.put(Fixture.text(Page(items: [Theme(id: "711", name: "Sea", seasonId: "71")])), at: "/v1/themes")
        web.put(
            Fixture.text(Page(items: [PouchEntities.Category(id: "hats", name: "Hats", productCount: 2)])),
            at: "/v1/categories")
        web.put(Fixture.text(Page(items: [Promotion.sample(of: Fixture.product("hat"))])), at: "/v1/promotions")
        web.put(Fixture.text(ProductPage(items: [Fixture.product("hat"), Fixture.product("cap")])), at: "/v1/products")
        web.put(Fixture.text(Fixture.product("hat")), at: "/v1/products/hat")
        return web
    }
}

extension Fixture {
    static func text(_ value: some JSONCodable) -> String { String(decoding: data(value), as: UTF8.self) }
}

/// Waits for the first state that meets the condition.
func first<Value>(
    _ states: AsyncStream<Dated<Value?>>, _ condition: (Dated<Value?>) -> Bool
) async throws -> Dated<Value?> {
    for await state in states where condition(state) { return state }
    throw CancellationError()
}
