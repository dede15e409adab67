#if TerminalPrograms
    import PouchClient

    /// How the sums under a cart or an order are shown.
    enum TotalsText {
        /// - Parameter isShippingOpen: whether no way of delivery has been chosen yet, so that its price is not known.
        static func blocks(
            _ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false
        ) -> [Block] {
            var rows: [[Text]] = [["Items", Text(totals.items)]]
            if totals.discount.amount != 0 {
                rows.append([Text(discount.map { "Discount \($0.code)" } ?? "Discount"), "-" + Text(totals.discount)])
            } else if let discount {
                rows.append([Text("Discount \(discount.code)"), "takes nothing off this cart yet"])
            }
            rows.append(["Shipping", isShippingOpen ? "not chosen" : Text(totals.shipping)])
            let total = totals.total
            if totals.tax.amount != 0 {
                let isIncluded =
                    totals.items.amount - totals.discount.amount + totals.shipping.amount == total.amount
                rows.append([isIncluded ? "Tax, included" : "Tax", Text(totals.tax)])
            }
            rows.append([Text("Total", .bold), Text("\(total.decimal) \(total.currency.code)", .bold)])
            return [.table(Table(columns: [.init(title: ""), .init(title: "", isNumber: true)], rows: rows))]
        }
    }
#endif
