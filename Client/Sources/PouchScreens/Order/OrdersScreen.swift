import PouchEntities

/// What somebody has bought, the latest first.
///
/// Sends `OrderMessages`, and `NavigationMessages` for one of them.
@MainActor
public protocol OrdersScreen: ShopScreen {
    /// All pages that were read so far as one; there is more as long as it has a cursor.
    var orders: LoadState<Page<Order>> { get set }
}
