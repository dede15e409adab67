import Foundation
import PouchEntities

/// A cart as the server told it last.
public struct KnownCart: Sendable, Hashable {
    public let cart: Cart
    /// When it did; nil where that is not known.
    public let asOf: Date?

    public init(_ cart: Cart, asOf: Date?) {
        self.cart = cart
        self.asOf = asOf
    }
}
