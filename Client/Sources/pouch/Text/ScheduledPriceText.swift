#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How prices that hold for a time are shown.
    enum ScheduledPriceText {
        static func list(_ prices: [ScheduledPrice]) -> [Block] {
            guard !prices.isEmpty else { return [.line("No price is scheduled.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "ID"), .init(title: "SKU"), .init(title: "PRICE", isNumber: true),
                            .init(title: "FROM"), .init(title: "UNTIL"),
                        ],
                        rows: prices.map { price in
                            [
                                StyledText(price.id), StyledText(price.sku, .bold), StyledText(price.price),
                                StyledText(time: price.startsAt),
                                StyledText(time: price.endsAt),
                            ]
                        }
                    ))
            ]
        }
    }
#endif
