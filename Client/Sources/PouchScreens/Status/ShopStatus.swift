/// What every screen of a shop shows beside its own.
public struct ShopStatus: Sendable, Hashable {
    public var visitor: Visitor
    public var cart: CartBadge
    public var connectivity: Connectivity

    public init(
        visitor: Visitor = .nobody, cart: CartBadge = CartBadge(), connectivity: Connectivity = .unknown
    ) {
        self.visitor = visitor
        self.cart = cart
        self.connectivity = connectivity
    }
}
