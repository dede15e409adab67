import Foundation
import PouchEntities

/// An order as it is kept, with what customers do not see.
public struct OrderRecord: Sendable, Equatable {
    public let order: Order
    public let ownerId: String
    /// Counts the changes of the order; its ETag.
    public let version: Int
    /// Whether its lines came out of the cart, so that they go back there when it comes to nothing.
    public let fromCart: Bool
    /// The provider's ledger that its charge is in.
    public let ledgerId: String

    public init(order: Order, ownerId: String, version: Int, fromCart: Bool, ledgerId: String) {
        self.order = order
        self.ownerId = ownerId
        self.version = version
        self.fromCart = fromCart
        self.ledgerId = ledgerId
    }
}
