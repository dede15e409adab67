import PouchEntities

/// One order.
///
/// Sends `OrderMessages` to cancel it, `PurchaseMessages` to buy something of it again.
@MainActor
public protocol OrderScreen: ShopScreen {
    /// Known before the order is.
    var orderId: String { get set }
    var order: LoadState<Order> { get set }
}
