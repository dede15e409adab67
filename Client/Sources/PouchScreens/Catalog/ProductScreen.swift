import PouchEntities

/// One product, with the choice among its variants (`VariantChoice`).
///
/// Sends `CartMessages` to add and `PurchaseMessages` to buy now.
@MainActor
public protocol ProductScreen: ShopScreen {
    var product: LoadState<Product> { get set }
    /// Exact figures for the product's variants, where they could be had; else those of the product hold.
    var availability: [Availability] { get set }
}
