import PouchEntities
import PouchTerminal

/// How the sums under a cart or an order are shown.
public enum TotalsText {
    /// What each sum is called, and what it comes to; the total is the last.
    ///
    /// - Parameter isShippingOpen: whether no way of delivery was chosen yet, so that its price is not known.
    public static func rows(
        _ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false
    ) -> [(name: StyledText, sum: StyledText)] {
        var rows: [(StyledText, StyledText)] = [("Items", StyledText(totals.items))]
        if totals.discount.amount != 0 {
            rows.append(
                (StyledText(discount.map { "Discount \($0.code)" } ?? "Discount"), "-" + StyledText(totals.discount)))
        } else if let discount {
            rows.append((StyledText("Discount \(discount.code)"), "takes nothing off this cart yet"))
        }
        rows.append(("Shipping", isShippingOpen ? "not chosen" : StyledText(totals.shipping)))
        if totals.tax.amount != 0 {
            rows.append((isTaxIncluded(totals) ? "Tax, included" : "Tax", StyledText(totals.tax)))
        }
        return rows + [(StyledText("Total", .bold), StyledText(totals.total, .bold))]
    }

    /// A server may claim any figures.
    private static func isTaxIncluded(_ totals: Totals) -> Bool {
        let sum = try? totals.items.subtracting(totals.discount).adding(totals.shipping)
        return sum == totals.total
    }
}
