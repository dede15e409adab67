import PouchEntities
import PouchTerminal

extension StyledText {
    public init(_ money: Money, _ style: Style = .plain) {
        self.init(money.text, style)
    }

    /// A price, preceded by the one before its reduction. That order aligns the prices of a column on the right.
    init(price: Money, before: Money?) {
        self.init(price, .bold)
        if let before, before != price { self = StyledText("was \(before.decimal)  ", .dim) + self }
    }

    /// The price of a product, "from 89.00 EUR" if its variants have several, preceded by the one before its reduction.
    init(priceOf product: Product) {
        let from: StyledText = product.hasSeveralPrices ? "from " : ""
        self = from + StyledText(price: product.price, before: product.compareAtPrice)
    }

    /// The availability of a product: "sold out", "only 2 left" or "in stock".
    public init(stock available: Int) {
        switch available {
        case ...0: self.init("sold out", .red)
        case ...Availability.lowStock: self.init("only \(available) left", .yellow)
        default: self.init("in stock", .green)
        }
    }
}

public enum TotalsText {
    /// The names and amounts below a cart or an order. The total comes last.
    ///
    /// - Parameter isShippingOpen: whether no shipping method is chosen, so that its price is unknown.
    public static func rows(
        _ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false
    ) -> [(name: StyledText, sum: StyledText)] {
        var rows: [(StyledText, StyledText)] = [("Items", StyledText(totals.items))]
        if totals.discount.amount != 0 {
            rows.append(
                (StyledText(discount.map { "Discount \($0.code)" } ?? "Discount"), "-" + StyledText(totals.discount)))
        } else if let discount {
            rows.append((StyledText("Discount \(discount.code)"), "does not reduce this cart yet"))
        }
        rows.append(("Shipping", isShippingOpen ? "not chosen" : StyledText(totals.shipping)))
        if totals.tax.amount != 0 {
            rows.append((totals.includesTax ? "Tax, included" : "Tax", StyledText(totals.tax)))
        }
        return rows + [(StyledText("Total", .bold), StyledText(totals.total, .bold))]
    }
}
