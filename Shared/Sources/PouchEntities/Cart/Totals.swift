/// What a cart or an order comes to. Where prices include tax, `total` is items less discount plus shipping, and `tax` is
/// the part of it that is tax; where they do not, `total` is items less discount plus shipping plus tax.
public struct Totals: Codable, Sendable, Hashable {
    /// The sum of the lines before any discount.
    public let items: Money
    /// Not negative; it is subtracted. What free shipping saves is in it.
    public let discount: Money
    /// The full price, also where a discount makes it free.
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
