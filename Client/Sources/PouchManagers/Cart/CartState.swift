import PouchEntities

/// A cart with what is known of how far the server has confirmed it.
public struct CartState: Sendable, Hashable {
    /// With the edits that are not confirmed, priced by what is known on this device.
    public let cart: Cart
    /// Edits that the server has not confirmed, and that are sent as soon as it can be reached.
    public let pendingCount: Int

    /// Whether the cart is as the server told it. Otherwise lines and totals are estimates.
    public var isConfirmed: Bool { pendingCount == 0 }
}
