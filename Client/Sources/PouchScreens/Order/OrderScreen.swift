import PouchEntities

/// One order.
///
/// Sends `OrderMessages` to cancel it, and to choose another way of delivery where its `deliveryFailure` offers some,
/// `PurchaseMessages` to buy something of it again.
@MainActor
public protocol OrderScreen: ShopScreen {
    /// Known before the order is.
    var orderId: String { get set }
    var order: LoadState<Order> { get set }
    /// The ride that brings it, as it is now; nil where there is none, or none that the visitor can see.
    var ride: Ride? { get set }
}
