import PouchEntities

/// The cart: lines, totals, what has changed.
///
/// Sends `CartMessages`, `CheckoutMessages` to go on to the delivery, `NavigationMessages` for a product.
@MainActor
public protocol CartScreen: ShopScreen {
    /// Current prices and stock, while it is shown.
    var cart: LoadState<Cart> { get set }
    /// What changed without anybody's doing since the last look: by the shop, or when changes made offline were sent.
    var changes: [CartChange] { get set }
}
