import PouchEntities

/// The cart: lines, totals, recent changes.
///
/// Sends `CartMessages`, `CheckoutMessages` to go on to the delivery, and `NavigationMessages` for a product.
@MainActor
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
