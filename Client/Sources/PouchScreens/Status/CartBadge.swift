/// What stands beside the cart on every screen.
public struct CartBadge: Sendable, Hashable {
    /// Units in the cart; nil while it is not known.
    public var unitCount: Int?
    /// Changes that were made offline and that the shop has not seen yet.
    public var pendingChanges: Int

    public init(unitCount: Int? = nil, pendingChanges: Int = 0) {
        self.unitCount = unitCount
        self.pendingChanges = pendingChanges
    }
}
