import PouchEntities

/// Says that something was bought. While the order is `.pending`, its payment is still being settled.
///
/// Sends `PurchaseMessages` to see how the order stands, `NavigationMessages` to go on.
@MainActor
public protocol ConfirmationScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}
