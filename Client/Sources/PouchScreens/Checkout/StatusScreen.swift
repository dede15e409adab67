import PouchEntities

/// How an order stands, step by step, right after it was bought.
///
/// Sends `RefreshMessages` to look again, `NavigationMessages` to go on.
@MainActor
public protocol StatusScreen: ShopScreen {
    var order: LoadState<Order> { get set }
}
