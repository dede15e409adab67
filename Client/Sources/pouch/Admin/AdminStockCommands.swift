#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminStockCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stock", abstract: "List, set, adjust and export the stock.",
            discussion: """
                For example:
                  pouch admin stock wool-scarf --set 12
                  pouch admin stock list --low
                """,
            subcommands: [Set.self, List.self, Export.self],
            defaultSubcommand: Set.self
        )

        @OptionGroup var global: GlobalOptions

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Set or adjust the stock of a SKU.",
                discussion: """
                    --set sets the number of available units; --adjust adds units or, with a negative number, removes \
                    them. Neither counts units held for orders, and the stock never falls below those.
                    """)

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Option(parsing: .unconditional, help: ArgumentHelp("The number of units for sale.", valueName: "units"))
            var set: StockUnits?
            @Option(
                parsing: .unconditional,
                help: ArgumentHelp(
                    "The number of units to add; negative to remove, for example -3.", valueName: "units"))
            var adjust: Int?

            func validate() throws {
                guard (set == nil) != (adjust == nil) else {
                    throw ValidationError("Give either --set UNITS or --adjust UNITS.")
                }
            }

            func run(in shop: Shop) async throws {
                let change = set.map { StockChange.set($0.units) } ?? .adjust(adjust ?? 0)
                try shop.show(try await shop.client.admin.changeStock(sku: sku, change), as: PriceText.variant)
            }
        }

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the stock of all variants, by SKU.")

            @OptionGroup var global: GlobalOptions
            @Flag(help: "Only variants that are low or sold out.")
            var low = false
            @Option(
                parsing: .unconditional,
                help: ArgumentHelp(
                    "The number of available units up to which a variant is low. (default: \(Availability.lowStock))",
                    valueName: "units"))
            var threshold: StockUnits?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let most = threshold?.units ?? (low ? Availability.lowStock : nil)
                try await page.show(in: shop, as: Self.list) { limit, cursor in
                    try await shop.client.admin.stock(atMost: most, limit: limit, cursor: cursor)
                }
            }

            private static func list(_ levels: [StockLevel]) -> [Output] {
                .list(
                    levels, orElse: "No matching variants.",
                    [
                        "SKU", .text("NAME"), .text("OPTIONS"), .number("AVAILABLE"), .number("ON HAND"),
                        .number("HELD"),
                    ]
                ) { level in
                    let style: Style =
                        level.available <= 0 ? .red : level.available <= Availability.lowStock ? .yellow : .plain
                    return [
                        StyledText(level.sku, .bold), StyledText(level.name),
                        StyledText(OptionsText.values(level.options)), StyledText("\(level.available)", style),
                        "\(level.onHand)", "\(level.held)",
                    ]
                }
            }
        }

        struct Export: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Export the stock as CSV for a spreadsheet.",
                discussion: "For example: pouch admin stock export > stock.csv")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var target: ExportOptions

            func run(in shop: Shop) async throws {
                try await target.export(in: shop) { try await shop.client.admin.exportStock(to: $0) }
            }
        }
    }

    struct AdminPriceCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "price",
            abstract: "Set the price of a SKU, permanently or for a period.",
            discussion: """
                If several scheduled prices overlap, the one that started last applies. Afterwards, the SKU's own \
                price applies again.
                """,
            subcommands: [Set.self, List.self, Remove.self],
            defaultSubcommand: Set.self
        )

        @OptionGroup var global: GlobalOptions

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Set a price; --from and --until limit it to a period.",
                discussion: Confirmation.priceOfNothing)

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Argument(help: "The price in the shop's currency, for example 42.99.")
            var amount: String
            @Option(help: ArgumentHelp("The start: \(Moment.form).", valueName: "time"))
            var from: Moment?
            @Option(help: ArgumentHelp("The end; a date includes the whole day.", valueName: "time"))
            var until: Moment?
            @OptionGroup var confirmation: Confirmation

            func validate() throws {
                guard (from == nil) == (until == nil) else {
                    throw ValidationError("A scheduled price needs both --from and --until.")
                }
                try Moment.check(from, "--from", until, "--until")
            }

            func run(in shop: Shop) async throws {
                let price = try await confirmation.price(amount, of: sku, in: shop)
                guard let from = try await shop.start(from), let until = try await shop.end(until) else {
                    let variant = try await shop.client.admin.setPrice(sku: sku, price)
                    return try shop.show(variant, as: PriceText.variant)
                }
                let scheduled = try await shop.client.admin.schedulePrice(
                    sku: sku, price, from: from, until: until)
                try shop.show(scheduled) { PriceText.list([$0]) }
            }
        }

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the scheduled prices, newest first.")

            @OptionGroup var global: GlobalOptions

            @Option(help: "Only prices of this SKU.")
            var sku: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: PriceText.list) { limit, cursor in
                    try await shop.client.admin.scheduledPrices(sku: sku, limit: limit, cursor: cursor)
                }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove a scheduled price; the SKU's own price applies again.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID, as `pouch admin price list` lists it.")
            var id: String

            var notFound: NotFound {
                NotFound(
                    message: "No such scheduled price: \(id).",
                    advice: "`pouch admin price list` lists them, with their IDs.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeScheduledPrice(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    enum PriceText {
        static func variant(_ variant: ManagedVariant) -> [Output] {
            [
                .table(
                    ["SKU", .number("PRICE"), .number("AVAILABLE"), .number("ON HAND"), .number("HELD")],
                    [
                        [
                            StyledText(variant.sku, .bold), StyledText(variant.price), "\(variant.available)",
                            "\(variant.onHand)", "\(variant.held)",
                        ]
                    ])
            ]
        }

        static func list(_ prices: [ScheduledPrice]) -> [Output] {
            .list(
                prices, orElse: "There are no scheduled prices.", ["ID", "SKU", .number("PRICE"), "FROM", "UNTIL"]
            ) { price in
                [
                    StyledText(price.id), StyledText(price.sku, .bold), StyledText(price.price),
                    StyledText(time: price.startsAt), StyledText(time: price.endsAt),
                ]
            }
        }
    }
#endif
