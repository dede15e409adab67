#if TerminalPrograms
    import PouchClient

    /// How a cart is shown.
    enum CartText {
        static func blocks(_ cart: Cart) -> [Block] {
            let changes = cart.changes.map { Block.line(Text(change($0), .yellow)) }
            guard !cart.lines.isEmpty else { return changes + [.line("The cart is empty.")] }
            return changes + [.table(lines(cart.lines)), .blank]
                + TotalsText.blocks(cart.totals, discount: cart.discount, isShippingOpen: cart.shipping == nil)
                + (cart.shipping.map(ShippingText.blocks) ?? [])
        }

        static func lines(_ lines: [CartLine]) -> Table {
            Table(
                columns: [
                    .init(title: "SKU"), .init(title: "NAME"), .init(title: "OPTIONS"),
                    .init(title: "QTY", isNumber: true), .init(title: "EACH", isNumber: true),
                    .init(title: "SUM", isNumber: true), .init(title: ""),
                ],
                rows: lines.map { line in
                    [
                        Text(line.sku), Text(line.name), Text(OptionsText.values(line.options)), "\(line.quantity)",
                        Text(line.unitPrice), Text(line.lineTotal),
                        line.available < line.quantity ? Text(stock: line.available) : "",
                    ]
                }
            )
        }

        private static func change(_ change: CartChange) -> String {
            let quantities = "from \(change.fromQuantity ?? 0) to \(change.toQuantity ?? 0)"
            let prices = "from \(change.fromPrice?.decimal ?? "?") to \(change.toPrice?.decimal ?? "?")"
            return switch change.reason {
            case .priceChanged: "\(change.sku): the price went \(prices)."
            case .quantityReduced: "\(change.sku): the quantity went \(quantities), for lack of stock."
            case .removed: "\(change.sku): is no longer sold and was removed."
            case .merged where change.fromQuantity == 0:
                "\(change.sku): \(change.toQuantity ?? 0) came along from the guest's cart."
            case .merged: "\(change.sku): joined with the guest's cart, \(quantities)."
            case .unrecognised: "\(change.sku): changed."
            }
        }
    }
#endif
