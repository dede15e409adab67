import PouchEntities

/// What is about to be paid.
public struct Purchase: Sendable, Hashable {
    public let lines: [CartLine]
    public let totals: Totals
    public let discount: CartDiscount?
    public let shipping: Shipping?

    public init(lines: [CartLine], totals: Totals, discount: CartDiscount? = nil, shipping: Shipping? = nil) {
        self.lines = lines
        self.totals = totals
        self.discount = discount
        self.shipping = shipping
    }
}
