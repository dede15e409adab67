import Foundation
import PouchManagers
import PouchScreens

/// What the coordinators of a shop work with. It is set at the root of their tree, and flows down from there.
///
/// What is nil does not exist yet, as while the local store is opened: screens show that they load, messages wait.
public struct AppDependency: Sendable {
    public var account: AccountManager?
    public var catalog: CatalogManager?
    public var cart: CartManager?
    public var checkout: CheckoutManager?
    public var orders: OrderManager?
    /// Whether the shop can be reached, now and after each change.
    public var connectivity: (@Sendable () -> AsyncStream<Connectivity>)?
    public var now: @Sendable () -> Date

    public init(
        account: AccountManager? = nil,
        catalog: CatalogManager? = nil,
        cart: CartManager? = nil,
        checkout: CheckoutManager? = nil,
        orders: OrderManager? = nil,
        connectivity: (@Sendable () -> AsyncStream<Connectivity>)? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.account = account
        self.catalog = catalog
        self.cart = cart
        self.checkout = checkout
        self.orders = orders
        self.connectivity = connectivity
        self.now = now
    }

    public init(_ client: PouchClient) {
        self.init(
            account: client.account, catalog: client.catalog, cart: client.cart, checkout: client.checkout,
            orders: client.orders)
    }
}
