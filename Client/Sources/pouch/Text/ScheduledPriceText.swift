#if TerminalPrograms
    import PouchClient

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
                                Text(price.id), Text(price.sku, .bold), Text(price.price), Text(time: price.startsAt),
                                Text(time: price.endsAt),
                            ]
                        }
                    ))
            ]
        }
    }
#endif
