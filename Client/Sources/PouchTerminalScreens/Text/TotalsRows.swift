import PouchEntities
import PouchTerminal

/// How the sums under a cart or an order are shown.
enum TotalsRows {
    /// - Parameter isShippingOpen: whether no way of delivery was chosen yet, so that its price is not known.
    @MainActor
    static func elements(
        _ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false
    ) -> [FormElement] {
        var rows = [Row("Items", StyledText(totals.items))]
        if totals.discount.amount != 0 {
            rows.append(Row("Discount \(discount?.code ?? "")", "-" + StyledText(totals.discount)))
        } else if let discount {
            rows.append(Row("Discount \(discount.code)", "takes nothing off this cart yet"))
        }
        rows.append(Row("Shipping", isShippingOpen ? "not chosen" : StyledText(totals.shipping)))
        if totals.tax.amount != 0 {
            rows.append(Row(isTaxIncluded(totals) ? "Tax, included" : "Tax", StyledText(totals.tax)))
        }
        rows.append(Row(StyledText("Total", .bold), StyledText(totals.total, .bold)))
        return rows.map { .block($0) }
    }

    private static func isTaxIncluded(_ totals: Totals) -> Bool {
        let (net, overflows) = totals.items.amount.subtractingReportingOverflow(totals.discount.amount)
        let (sum, overflowsToo) = net.addingReportingOverflow(totals.shipping.amount)
        return !overflows && !overflowsToo && sum == totals.total.amount
    }
}
