import Foundation
import PouchEntities

/// An order as it is kept, with what customers do not see.
public struct OrderRecord: Sendable, Equatable {
    public var order: Order
    public let ownerId: String
    /// Counts the changes of the order; its ETag.
    public var version: Int
    /// Whether its lines came out of the cart, so that they go back there when it comes to nothing.
    public let fromCart: Bool
    /// The provider's ledger that its charge is in.
    public let ledgerId: String
    /// The discount code that it used.
    public let discount: UsedDiscount?
    public let hold: Hold
    /// What all units weigh together.
    public let grams: Int

    /// The units that a pending order keeps from others.
    public struct Hold: Sendable, Equatable {
        /// From then on others may buy them.
        public let expiresAt: Date
        /// Whether somebody did.
        public let isReleased: Bool

        public init(expiresAt: Date, isReleased: Bool = false) {
            self.expiresAt = expiresAt
            self.isReleased = isReleased
        }
    }

    public struct UsedDiscount: Codable, Sendable, Equatable {
        public let id: String
        public let code: String

        public init(id: String, code: String) {
            self.id = id
            self.code = code
        }
    }

    public init(
        order: Order, ownerId: String, version: Int, fromCart: Bool, ledgerId: String, discount: UsedDiscount? = nil,
        hold: Hold, grams: Int
    ) {
        self.order = order
        self.ownerId = ownerId
        self.version = version
        self.fromCart = fromCart
        self.ledgerId = ledgerId
        self.discount = discount
        self.hold = hold
        self.grams = grams
    }
}
