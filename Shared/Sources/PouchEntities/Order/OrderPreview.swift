/// What an order would come to.
public struct OrderPreview: Codable, Sendable, Hashable {
    public let lines: [CartLine]
    /// The ways of delivery to the given address, or to the shop's own country.
    public let methods: [ShippingMethod]
    public let totals: Totals

    public init(lines: [CartLine], methods: [ShippingMethod], totals: Totals) {
        self.lines = lines
        self.methods = methods
        self.totals = totals
    }
}
