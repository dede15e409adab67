import PouchEntities

/// Sends `CartMessages`, `CheckoutMessages` to go on to the delivery, and `NavigationMessages` for a product.
public protocol CartScreen: ShopScreen {
    var cart: LoadState<Cart> { get set }
    /// Changes since the cart came on screen that the user did not make: by the shop, or when offline edits were sent.
    var changes: [CartChange] { get set }
}

/// Edits of the cart, from any screen.
@MainActor
public protocol CartMessages {
    /// Returns the contents of the cart afterwards.
    @discardableResult
    func cartAdd(sku: String, quantity: Int) async throws -> CartBadge
    /// Sets the quantity of a line; 0 removes it.
    func cartSet(sku: String, quantity: Int) async throws
    func cartRemove(sku: String) async throws
    func cartClear() async throws
    func cartApplyDiscount(code: String) async throws
    func cartRemoveDiscount() async throws
}
