import PouchData
import PouchEntities

/// Knows what whoever is signed in has bought. For nobody there is nothing to know: the calls throw `.notSignedIn`.
public actor OrderManager {
    private let data: DataManager

    public init(data: DataManager) {
        self.data = data
    }

    /// One page, the latest first.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await data.orders(limit: limit, cursor: cursor)
    }

    public func order(id: String) async throws(DataError) -> Order {
        try await data.order(id: id)
    }

    /// Cancels an order before fulfilment; it is refunded in full.
    public func cancel(id: String) async throws(DataError) -> Order {
        try await data.cancelOrder(id: id)
    }
}
