#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How a variant is shown to administrators.
    enum VariantText {
        static func blocks(_ variant: ManagedVariant) -> [Block] {
            [
                .table(
                    Table(
                        columns: [
                            .init(title: "SKU"), .init(title: "PRICE", isNumber: true),
                            .init(title: "AVAILABLE", isNumber: true), .init(title: "ON HAND", isNumber: true),
                            .init(title: "HELD", isNumber: true),
                        ],
                        rows: [
                            [
                                StyledText(variant.sku, .bold), StyledText(variant.price), "\(variant.available)",
                                "\(variant.onHand)", "\(variant.held)",
                            ]
                        ]))
            ]
        }
    }
#endif
