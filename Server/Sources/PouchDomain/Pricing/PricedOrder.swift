import PouchEntities

public struct PricedOrder: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public let line: PricedLine
        public let discount: Money
        public let tax: Money
    }

    public let lines: [Line]
    public let discountAmount: Money
    public let shippingPrice: Money
    public let shippingTax: Money
    public let totals: Totals
}
