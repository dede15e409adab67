import PouchCoordination
import PouchEntities

/// The orders of the session, the latest first. Sends `OrderMessages`, and `NavigationMessages` for one of the orders.
public protocol OrdersScreen: ShopScreen {
    /// All pages that were read so far as one. While it has a cursor, there are more.
    var orders: LoadState<Page<Order>> { get set }
}

/// One order.
///
/// Sends `OrderMessages` to cancel it and, where its `deliveryFailure` offers others, to choose another delivery
/// method, and `PurchaseMessages` to buy one of its lines again.
public protocol OrderScreen: ShopScreen {
    /// Known before the order is.
    var orderId: String { get set }
    var order: LoadState<Order> { get set }
    /// The ride that delivers the order; nil where there is none, or the visitor may not see it.
    var ride: Ride? { get set }
}

@MainActor
public protocol OrderMessages {
    /// Cancels the order on screen before fulfilment, and refunds it in full.
    func orderCancel() async throws
    /// Chooses another of the shipping methods that the `deliveryFailure` of the order on screen offers. A lower price
    /// is refunded; a higher one is not charged.
    func orderChangeDelivery(methodId: String) async throws
    /// Appends the next page to the orders on screen. Ignored after the last page.
    func ordersShowMore() async throws
}

extension Responder {
    public func orderCancel(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any OrderMessages).self, fileID: fileID, line: line) { try await $0.orderCancel() }
    }

    public func orderChangeDelivery(methodId: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any OrderMessages).self, fileID: fileID, line: line) {
            try await $0.orderChangeDelivery(methodId: methodId)
        }
    }

    public func ordersShowMore(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any OrderMessages).self, fileID: fileID, line: line) { try await $0.ordersShowMore() }
    }
}

extension OrderMessages where Self: Responder {
    public func orderCancel() async throws {
        try await above.orderCancel()
    }

    public func orderChangeDelivery(methodId: String) async throws {
        try await above.orderChangeDelivery(methodId: methodId)
    }

    public func ordersShowMore() async throws {
        try await above.ordersShowMore()
    }
}
