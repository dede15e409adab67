import Foundation
import PouchData
import PouchEntities

/// A cart with what is known of how far the server has confirmed it, and from when it is.
public struct CartState: Sendable, Equatable {
    /// With the edits that are not confirmed, priced by what is known on this device.
    public let cart: Cart
    /// Edits that the server has not confirmed, and that are sent as soon as it can be reached.
    public let pendingCount: Int
    /// When the server last told of the cart; nil where that is not known, or it never did.
    public let asOf: Date?
    /// Why the cart could not be read anew when that was last tried; nil after it was.
    public let failure: DataError?

    /// Whether the cart is as the server told it. Otherwise lines and totals are estimates.
    public var isConfirmed: Bool { pendingCount == 0 }
}
