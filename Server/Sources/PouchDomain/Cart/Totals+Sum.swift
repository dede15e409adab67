import PouchEntities

extension Totals {
    /// What the lines and the shipping come to. Prices are final: there is no tax to add.
    ///
    /// - Throws: `MoneyError`.
    public init(lines: [PricedLine], shipping: Money) throws(MoneyError) {
        let zero = Money.zero(shipping.currency)
        var items = zero
        for line in lines { items = try items.adding(line.total) }
        self.init(items: items, discount: zero, shipping: shipping, tax: zero, total: try items.adding(shipping))
    }
}
