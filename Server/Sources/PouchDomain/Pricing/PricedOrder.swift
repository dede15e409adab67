import PouchEntities

/// What lines come to with discount, shipping and tax. The discounts of the lines, and what free shipping saves, add up to
/// `discountAmount`; the taxes of the lines and of the shipping add up to `totals.tax`.
public struct PricedOrder: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public let line: PricedLine
        /// No more than the line's total.
        public let discount: Money
        /// Where prices include tax, the part of total less discount that is tax.
        public let tax: Money
    }

    /// In the order in which they were given.
    public let lines: [Line]
    /// What free shipping saves is in it.
    public let discountAmount: Money
    /// The full price, also where a discount makes it free; 0 until a way is chosen.
    public let shippingPrice: Money
    /// Of what is left to pay of the shipping.
    public let shippingTax: Money
    /// What all units weigh together; what no figure can hold weighs as much as the greatest.
    public let grams: Int
    public let totals: Totals
}
