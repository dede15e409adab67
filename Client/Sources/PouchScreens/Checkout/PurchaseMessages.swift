import PouchEntities

/// Buying, from any screen.
@MainActor
public protocol PurchaseMessages {
    /// Leads to the payment of one unit; a product with several variants is shown first, to choose. The cart is left as
    /// it is.
    func purchaseNow(_ product: Product) async throws
    /// Leads to the payment of this alone. The cart is left as it is.
    func purchaseNow(sku: String, quantity: Int) async throws
    /// Something was bought; whoever led to its payment goes on from there.
    func purchaseDone(_ order: Order) async throws
    /// Goes on from the confirmation to how the order stands.
    func purchaseShowStatus() async throws
}
