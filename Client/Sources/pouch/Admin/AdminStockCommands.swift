#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminStockCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "stock", abstract: "Set or adjust the stock of a SKU.",
            discussion: """
                --set sets the number of units for sale; --adjust adds units or, with a negative number, removes them. \
                Units that are reserved by orders count in neither, and stock never falls below them.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
        var sku: String
        @Option(parsing: .unconditional, help: ArgumentHelp("The number of units for sale.", valueName: "units"))
        var set: Int?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The number of units to add; negative to remove, for example -3.", valueName: "units"))
        var adjust: Int?

        func validate() throws {
            guard (set == nil) != (adjust == nil) else {
                throw ValidationError("Give either --set UNITS or --adjust UNITS.")
            }
            guard set ?? 0 >= 0 else { throw ValidationError("--set takes 0 or more units.") }
        }

        func run(in shop: Shop) async throws {
            let change = set.map(StockChange.set) ?? .adjust(adjust ?? 0)
            try shop.show(try await shop.client.admin.changeStock(sku: sku, change), as: PriceText.variant)
        }
    }

    struct AdminPriceCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "price",
            abstract: "Set the price of a SKU, permanently or for a time.",
            discussion: """
                If several prices are scheduled for the same time, the one that started last applies. Afterwards the SKU's \
                own price applies again.
                """,
            subcommands: [Set.self, List.self, Remove.self],
            defaultSubcommand: Set.self
        )

        @OptionGroup var global: GlobalOptions

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Set a price; --from and --until limit it to a time.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Argument(help: "The price in the shop's currency, for example 42.99.")
            var amount: String
            @Option(help: ArgumentHelp("The start: \(Moment.form).", valueName: "time"))
            var from: Moment?
            @Option(help: ArgumentHelp("The end.", valueName: "time"))
            var until: Moment?
            @Flag(help: "Set a price of 0 without asking.")
            var yes = false

            func validate() throws {
                guard (from == nil) == (until == nil) else {
                    throw ValidationError("A scheduled price needs both --from and --until.")
                }
            }

            func run(in shop: Shop) async throws {
                let price = try await shop.money(amount)
                if price.amount == 0, !yes {
                    guard Prompt.isPossible else {
                        throw Refusal("The price is 0.", "Add --yes to give \(sku) away.", .usage)
                    }
                    guard await Prompt.confirm("Give \(sku) away for \(price.text)?") else { return }
                }
                guard let from, let until else {
                    let variant = try await shop.client.admin.setPrice(sku: sku, price)
                    return try shop.show(variant, as: PriceText.variant)
                }
                let scheduled = try await shop.client.admin.schedulePrice(
                    sku: sku, price, from: from.date, until: until.date)
                try shop.show(scheduled) { PriceText.list([$0]) }
            }
        }

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the scheduled prices, the latest first.")

            @OptionGroup var global: GlobalOptions

            @Option(help: "Only those of this SKU.")
            var sku: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let found = try await shop.client.admin.scheduledPrices(
                    sku: sku, limit: page.limit, cursor: page.cursor)
                try page.show(found, in: shop, as: PriceText.list)
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

    private enum PriceText {
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
            .list(prices, orElse: "No price is scheduled.", ["ID", "SKU", .number("PRICE"), "FROM", "UNTIL"]) { price in
                [
                    StyledText(price.id), StyledText(price.sku, .bold), StyledText(price.price),
                    StyledText(time: price.startsAt), StyledText(time: price.endsAt),
                ]
            }
        }
    }
#endif
