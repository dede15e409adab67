import Foundation
import PouchData
import PouchManagers
import PouchNetwork
import PouchService

/// The managers over a stub, put together as an app gets them.
struct ManagersUnderTest {
    let service: PouchService
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
    ///   - local: with one, edits to the cart are queued, as in an app that has one.
    ///   - clock: of the connection and the cart.
    init(
        over transport: any Transport,
        store: any SessionStore = MemorySessionStore(),
        local: (any LocalStore)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        serviceClock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Fixture.now },
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in },
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) throws {
        service = try makeService(over: transport, store: store, clock: serviceClock)
        data = DataManager(
            service: service, store: local ?? MemoryStore(), reportRow: reportRow, now: now, makeKey: makeKey)
        account = AccountManager(data: data)
        connection = ConnectionManager(data: data, clock: clock, random: { 1 })
        cart = CartManager(
            data: data, account: account, outage: local == nil ? .fail : .queue(until: connection), clock: clock,
            now: now)
        checkout = CheckoutManager(data: data, account: account, cart: cart)
        orders = OrderManager(data: data)
        rides = RideManager(data: data, account: account)
        locations = LocationManager(data: data, now: now)
        admin = AdminManager(data: data)
    }

    init(
        over transport: any Transport, as shopper: Shopper, local: (any LocalStore)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Fixture.now }
    ) throws {
        try self.init(
            over: transport, store: MemorySessionStore(Fixture.data(shopper.session)), local: local, clock: clock,
            now: now)
    }
}
