import Foundation
import PouchData
import PouchManagers
import PouchNetwork
import PouchService

/// A shop's server and all there is to do with it, for one person at a time.
///
/// Builds the layers and hands out the managers. Any number of clients may live in one process; they share nothing.
public struct PouchClient: Sendable {
    public let account: AccountManager
    public let catalog: CatalogManager
    public let cart: CartManager
    public let checkout: CheckoutManager
    public let orders: OrderManager
    public let admin: AdminManager
    public let connection: ConnectionManager

    /// - Parameters:
    ///   - server: scheme, host and port, and the path under which the server stands, if any.
    ///   - transport: what brings the requests there.
    ///   - sessionStore: where the session outlives the process; one store for one server.
    ///   - store: where catalogue, cart, orders and pending writes are kept; one store for one server. Without one they are
    ///     kept in memory, and an edit to the cart that cannot reach the server fails instead of being queued.
    ///   - reportRow: told of each row of a list that could not be read, and was left out.
    public init(
        server: URL,
        transport: any Transport = URLSessionTransport(),
        sessionStore: any SessionStore = MemorySessionStore(),
        store: (any LocalStore)? = nil,
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        let service = PouchService(server: server, transport: transport, sessionStore: sessionStore)
        let local = store ?? MemoryStore()
        let data = DataManager(service: service, store: local, reportRow: reportRow)
        account = AccountManager(data: data)
        catalog = CatalogManager(data: data, store: local)
        connection = ConnectionManager(data: data)
        cart = CartManager(
            data: data, account: account, outage: store == nil ? .fail : .queue(until: connection))
        checkout = CheckoutManager(data: data, account: account, cart: cart)
        orders = OrderManager(data: data)
        admin = AdminManager(data: data)
    }
}
