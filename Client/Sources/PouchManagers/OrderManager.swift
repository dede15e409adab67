import PouchData
import PouchEntities

/// The orders of the current session. Without a session, the calls throw `.notSignedIn`.
public struct OrderManager: Sendable {
    private let data: DataManager
    private let changed = Subscribers<Order>(limit: 20)
    let turns = KeyedMutex<WatchedDelivery>()
    let clock: any Clock<Duration>

    /// - Parameter clock: measures the interval between calls of a stream.
    public init(data: DataManager, clock: any Clock<Duration> = ContinuousClock()) {
        self.data = data
        self.clock = clock
    }

    /// One page of orders, newest first.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await data.orders(limit: limit, cursor: cursor)
    }

    /// All orders, newest first.
    public func all() -> AllPages<Order> {
        AllPages { [data] cursor throws(DataError) in
            try await data.orders(limit: DataManager.largestPage, cursor: cursor)
        }
    }

    /// - Throws: `.notFound`, also for an order of another customer.
    public func order(id: String) async throws(DataError) -> Order {
        try await data.order(id: id)
    }

    /// The order in its current state, and again after each change, until it is delivered or refunded.
    ///
    ///     for try await order in pouch.orders.watch(order.id) { show(order.status) }
    ///
    /// The sequence survives lost connections and server outages. It throws if the order cannot be read: `.notFound`
    /// for an order of another customer, `.notSignedIn` without a session.
    public func watch(_ id: Order.ID) -> LiveEvents<Order> { data.orderEvents(of: id) }

    /// The order behind a link in an e-mail, without a session. The link gives read access only.
    ///
    /// - Parameter link: the whole link, or the text after its `#`.
    /// - Throws: `.linkInvalid`, `.linkExpired`.
    public func order(link: String) async throws(DataError) -> Order {
        try await data.order(link: link)
    }

    /// Each order that this manager changes after this call.
    public func changes() -> AsyncStream<Order> { changed.add() }

    /// Cancels an order before fulfilment, and refunds it in full. If the outcome is unknown, the call may be repeated,
    /// and returns the cancelled order.
    ///
    /// - Throws: `.notCancellable` once the order has been shipped.
    public func cancel(id: String) async throws(DataError) -> Order {
        let order = try await data.cancelOrder(id: id)
        changed.send { order }
        return order
    }

    /// Chooses one of the shipping methods that the order's `deliveryFailure` offers. A lower price is refunded; a
    /// higher one is not charged.
    ///
    /// - Parameter methodId: the id of one of the offered methods.
    /// - Throws: `.deliverySettled` for an order that offers none.
    public func changeDelivery(of id: String, methodId: String) async throws(DataError) -> Order {
        let order = try await data.changeDelivery(of: id, to: methodId)
        changed.send { order }
        return order
    }

    /// One page of the orders stored on this device, as last received, newest first, without a request. The cursors are
    /// valid only for this method.
    public func knownOrders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await data.storedOrders(of: try await data.owner(), limit: limit, cursor: cursor)
    }

    /// The order stored on this device, as last received; nil if it is not stored.
    public func knownOrder(id: String) async throws(DataError) -> Order? {
        try await data.storedOrder(id: id, of: try await data.owner())
    }
}
