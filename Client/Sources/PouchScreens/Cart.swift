import PouchEntities

/// The cart: lines, totals, recent changes.
///
/// Sends `CartMessages`, `CheckoutMessages` to go on to the delivery, and `NavigationMessages` for a product.
public protocol CartScreen: ShopScreen {
    /// The cart, with prices and stock that are refreshed while it is on screen.
    var cart: LoadState<Cart> { get set }
    /// Changes since the cart came on screen that the user did not make: by the shop, or when offline edits were sent.
    var changes: [CartChange] { get set }
}

/// Edits of the cart, from any screen.
@MainActor
public protocol CartMessages {
    /// Adds units of a SKU.
    ///
    /// - Returns: the contents of the cart afterwards.
    @discardableResult
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge
    /// Sets the quantity of a line; 0 removes it.
    func cartSet(sku: String, quantity: Int) async throws
    func cartRemove(sku: String) async throws
    func cartClear() async throws
    func cartApplyDiscount(code: String) async throws
    func cartRemoveDiscount() async throws
}

/// The contents of the cart in short, as every screen shows them.
public struct CartBadge: Sendable, Hashable {
    /// The number of units; nil while it is unknown.
    public var unitCount: Int?
    /// The number of offline edits that wait for the shop.
    public var pendingChanges: Int

    public init(unitCount: Int? = nil, pendingChanges: Int = 0) {
        self.unitCount = unitCount
        self.pendingChanges = pendingChanges
    }
}
