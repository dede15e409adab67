import PouchData
import PouchEntities

/// Knows what whoever is signed in has bought. For nobody there is nothing to know: the calls throw `.notSignedIn`.
public actor OrderManager {
    private let data: DataManager
    private let changed = Observers<Order>(limit: 20)

    public init(data: DataManager) {
        self.data = data
    }

    /// One page, the latest first.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await data.orders(limit: limit, cursor: cursor)
    }

    /// - Throws: `.notFound` also for an order of somebody else.
    public func order(id: String) async throws(DataError) -> Order {
        try await data.order(id: id)
    }

    /// Each order that is changed here from now on, as it stands then.
    public nonisolated func changes() -> AsyncStream<Order> { changed.join(first: { [] }).elements }

    /// Cancels an order before fulfilment; it is refunded in full. Tried again after it ended without a clear outcome, it
    /// gives the order as it was cancelled.
    ///
    /// - Throws: `.notCancellable` once it was sent.
    public func cancel(id: String) async throws(DataError) -> Order {
        let order = try await data.cancelOrder(id: id)
        changed.tell { order }
        return order
    }

    /// Chooses another way of delivery, for an order whose `deliveryFailure` offers some.
    ///
    /// - Parameter methodId: one of those. What it costs less is refunded; what it costs more is not charged.
    /// - Throws: `.deliverySettled` for an order that offers none (any more).
    public func changeDelivery(of id: String, methodId: String) async throws(DataError) -> Order {
        let order = try await data.changeDelivery(of: id, to: methodId)
        changed.tell { order }
        return order
    }

    // MARK: Without the server

    /// One page of the orders that were seen on this device, as they were then, the latest first. The cursors are its own.
    public func knownOrders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await data.storedOrders(of: try await data.owner(), limit: limit, cursor: cursor)
    }

    /// The order as it was seen last on this device; nil where it never was.
    public func knownOrder(id: String) async throws(DataError) -> Order? {
        try await data.storedOrder(id: id, of: try await data.owner())
    }
}
