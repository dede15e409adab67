#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How a cart is shown.
    enum CartText {
        static func blocks(_ cart: Cart) -> [Block] {
            let changes = cart.changes.map { Block.line(StyledText(ChangeText.sentence($0, name: $0.sku), .yellow)) }
            guard !cart.lines.isEmpty else { return changes + [.line("The cart is empty.")] }
            return changes + [.table(lines(cart.lines)), .blank]
                + TotalsText.blocks(cart.totals, discount: cart.discount, isShippingOpen: cart.shipping == nil)
                + (cart.shipping.map({ [.line(StyledText(AddressText.line($0)))] }) ?? [])
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
                        StyledText(line.sku), StyledText(line.name), StyledText(OptionsText.values(line.options)),
                        "\(line.quantity)",
                        StyledText(line.unitPrice), StyledText(line.lineTotal),
                        line.available < line.quantity ? StyledText(stock: line.available) : "",
                    ]
                }
            )
        }
    }
#endif
