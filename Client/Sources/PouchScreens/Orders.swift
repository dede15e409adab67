import PouchCoordination
import PouchEntities

/// The orders of the session, newest first. Sends `ShowMoreOrders`, and a `ShopPage` for one of the orders.
public protocol OrdersScreen: ShopScreen {
    /// All pages read so far, as one page. While it has a cursor, there are more.
    var orders: LoadState<Page<Order>> { get set }
}

/// Sends `CancelOrder`, `ChangeDelivery` if its `deliveryFailure` offers other methods, and `BuyNow` to buy one of its
/// lines again.
public protocol OrderScreen: ShopScreen {
    /// The order's id, known before the order.
    var orderId: String { get set }
    var order: LoadState<Order> { get set }
    /// The ride that delivers the order; nil if there is none, or the visitor may not see it.
    var ride: Ride? { get set }
}

// MARK: - Messages

/// Cancels the order on screen before fulfilment, and refunds it in full.
public struct CancelOrder: Message, Hashable {
    public init() {}
}

/// Chooses another of the shipping methods that the `deliveryFailure` of the order on screen offers. A lower price is
/// refunded; a higher one is not charged.
public struct ChangeDelivery: Message, Hashable {
    public let methodId: String

    public init(methodId: String) {
        self.methodId = methodId
    }
}

/// Appends the next page to the orders on screen. Ignored after the last page.
public struct ShowMoreOrders: Message, Hashable {
    public init() {}
}
