#if TerminalPrograms
    import PouchClient

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
                                Text(variant.sku, .bold), Text(variant.price), "\(variant.available)",
                                "\(variant.onHand)", "\(variant.held)",
                            ]
                        ]))
            ]
        }
    }
#endif
