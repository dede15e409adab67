#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminStockCommand: CommandFamily {
        static let commandName = "stock"
        static let abstract = "List, set, adjust and export the stock."
        static let discussion = """
            For example:
              pouch admin stock wool-scarf --set 12
              pouch admin stock list --low
            """
        static let subcommands: [any NamedCommand.Type] = [Set.self, List.self, Export.self]

        struct Set: ShopCommand {
            static let abstract = "Set or adjust the stock of a SKU."
            static let discussion = """
                --set sets the number of available units; --adjust adds units or, with a negative number, removes \
                them. Units held for orders are not counted, and cannot be removed.
                """

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Option(parsing: .unconditional, help: .value("units", "The number of units for sale."))
            var set: StockUnits?
            @Option(
                parsing: .unconditional,
                help: .value("units", "The number of units to add; negative to remove, for example -3."))
            var adjust: Int?

            func validate() throws {
                guard (set == nil) != (adjust == nil) else {
                    throw ValidationError("Use either --set UNITS or --adjust UNITS.")
                }
            }

            func run(in shop: Shop) async throws {
                let change = set.map { StockChange.set($0.units) } ?? .adjust(adjust ?? 0)
                try shop.show(try await shop.admin.changeStock(sku: sku, change), as: PriceText.variant)
            }
        }

        struct List: ShopCommand {
            static let abstract = "List the stock of all variants, by SKU."

            @Flag(help: "Only variants that are low or sold out.")
            var low = false
            @Option(
                parsing: .unconditional,
                help: .value(
                    "units",
                    "The number of available units up to which a variant is low. (default: \(Availability.lowStock))"))
            var threshold: StockUnits?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let most = threshold?.units ?? (low ? Availability.lowStock : nil)
                try await page.show(in: shop, as: Self.list) { limit, cursor in
                    try await shop.admin.stock(atMost: most, limit: limit, cursor: cursor)
                }
            }

            private static func list(_ levels: [StockLevel]) -> [Output] {
                .list(
                    levels, orElse: "No matching variants.",
                    [
                        Field("SKU", .bold, \.sku), Field(.text("NAME"), \.name),
                        Field(.text("OPTIONS")) { OptionsText.values($0.options) },
                        Field(.number("AVAILABLE")) { available($0.available) }, Field(.number("ON HAND"), \.onHand),
                        Field(.number("HELD"), \.held),
                    ])
            }

            private static func available(_ units: Int) -> StyledText {
                StyledText("\(units)", units <= 0 ? .red : units <= Availability.lowStock ? .yellow : .plain)
            }
        }

        struct Export: ShopCommand {
            static let abstract = "Export the stock as CSV for a spreadsheet."
            static let discussion = "For example: pouch admin stock export > stock.csv"

            @OptionGroup var target: ExportOptions

            func run(in shop: Shop) async throws {
                try await target.export(in: shop) { try await shop.admin.exportStock(to: $0) }
            }
        }
    }

    enum AdminPriceCommand: CommandFamily {
        static let commandName = "price"
        static let abstract = "Set the price of a SKU, permanently or for a period."
        static let discussion = """
            If several scheduled prices overlap, the one that started last applies. Afterwards, the SKU's own \
            price applies again.
            """
        static let subcommands: [any NamedCommand.Type] = [Set.self, List.self, Remove.self]

        struct Set: ShopCommand {
            static let abstract = "Set a price; --from and --until limit it to a period."
            static let discussion = Confirmation.priceOfNothing

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Argument(help: "The price in the shop's currency, for example 42.99.")
            var amount: String
            @OptionGroup var period: PeriodOptions
            @OptionGroup var confirmation: Confirmation

            func validate() throws {
                guard (period.from == nil) == (period.until == nil) else {
                    throw ValidationError("A scheduled price needs both --from and --until.")
                }
            }

            func run(in shop: Shop) async throws {
                let price = try await confirmation.price(amount, of: sku, in: shop)
                guard let from = try await shop.start(period.from), let until = try await shop.end(period.until) else {
                    let variant = try await shop.admin.setPrice(sku: sku, price)
                    return try shop.show(variant, as: PriceText.variant)
                }
                let scheduled = try await shop.admin.schedulePrice(sku: sku, price, from: from, until: until)
                try shop.show(scheduled) { PriceText.list([$0]) }
            }
        }

        struct List: ShopCommand {
            static let abstract = "List the scheduled prices, newest first."

            @Option(help: "Only prices of this SKU.")
            var sku: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: PriceText.list) { limit, cursor in
                    try await shop.admin.scheduledPrices(sku: sku, limit: limit, cursor: cursor)
                }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a scheduled price; the SKU's own price applies again."

            @Argument(help: "The ID, as `pouch admin price list` lists it.")
            var id: String

            var notFound: NotFound {
                NotFound("scheduled price", id, "`pouch admin price list` lists them, with their IDs.")
            }

            func run(in shop: Shop) async throws {
                try await shop.admin.removeScheduledPrice(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    enum PriceText {
        static func variant(_ variant: ManagedVariant) -> [Output] {
            [
                .table(
                    of: [variant],
                    [
                        Field("SKU", .bold, \.sku), Field(.number("PRICE"), \.price),
                        Field(.number("AVAILABLE"), \.available), Field(.number("ON HAND"), \.onHand),
                        Field(.number("HELD"), \.held),
                    ])
            ]
        }

        static func list(_ prices: [ScheduledPrice]) -> [Output] {
            .list(
                prices, orElse: "There are no scheduled prices.",
                [
                    Field("ID", \.id), Field("SKU", .bold, \.sku), Field(.number("PRICE"), \.price),
                    Field("FROM", \.startsAt), Field("UNTIL", \.endsAt),
                ])
        }
    }
#endif
