/// What a cart or an order comes to. `total` is items less discount plus shipping, plus the tax that is not in the
/// prices.
public struct Totals: Codable, Sendable, Hashable {
    /// The sum of the lines before any discount.
    public let items: Money
    /// Not negative; it is subtracted.
    public let discount: Money
    public let shipping: Money
    public let tax: Money
    public let total: Money

    public init(items: Money, discount: Money, shipping: Money, tax: Money, total: Money) {
        self.items = items
        self.discount = discount
        self.shipping = shipping
        self.tax = tax
        self.total = total
    }
}
