import PouchData
import PouchEntities

/// A cart with the edits that the server has not confirmed.
public struct CartState: Sendable, Equatable {
    /// The cart with its unconfirmed edits, priced by the data on this device, and the age of the server's data.
    public let cart: Dated<Cart>
    /// The number of edits that wait for the server.
    public let pendingCount: Int

    public init(_ cart: Dated<Cart>, pendingCount: Int = 0) {
        self.cart = cart
        self.pendingCount = pendingCount
    }

    /// Whether the server has confirmed the cart. Otherwise lines and totals are estimates.
    public var isConfirmed: Bool { pendingCount == 0 }
}

/// A change to a cart that its owner did not make.
public enum CartUpdate: Sendable, Equatable {
    /// The server's cart differs from the shown one: other prices, fewer units, removed lines.
    case changed([CartChange])
    /// An edit that was accepted while the server could not be reached was not executed. With `.outcomeUnknown` it may have
    /// been executed, and it is too late to find out.
    case refused(CartEdit, DataError)
}

/// The handling of cart edits that cannot reach the server.
public enum CartOutage: Sendable {
    /// The edit fails. A refresh of the cart shows whether the server executed it.
    case fail
    /// The edit is shown at once as not confirmed, stored, and sent when the server is back.
    case queue(until: ConnectionManager)
}
