import PouchEntities

/// One product, with the choice among its variants (`VariantChoice`).
///
/// Sends `CartMessages` to add and `PurchaseMessages` to buy now.
@MainActor
public protocol ProductScreen: ShopScreen {
    /// The product's name for URLs, known before the product is.
    var handle: String { get set }
    var product: LoadState<Product> { get set }
    /// Exact figures for the product's variants, where they could be had; else those of the product hold.
    var availability: [Availability] { get set }
}
