#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct AdminPriceCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "price",
            abstract: "Set the price of a SKU, for good or for a time.",
            discussion: "Of several prices for a time, the one that began last holds; afterwards the SKU's own again.",
            subcommands: [Set.self, List.self, Remove.self],
            defaultSubcommand: Set.self
        )

        @OptionGroup var global: GlobalOptions

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Set a price; with --from and --until it holds for that time.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch product HANDLE` lists it.")
            var sku: String
            @Argument(help: "In the shop's currency, as in 42.99.")
            var amount: String
            @Option(help: ArgumentHelp("When it begins: \(Moment.form).", valueName: "time"))
            var from: Moment?
            @Option(help: ArgumentHelp("When it ends.", valueName: "time"))
            var until: Moment?

            func validate() throws {
                guard (from == nil) == (until == nil) else {
                    throw ValidationError("A price for a time needs both --from and --until.")
                }
            }

            func run(in shop: Shop) async throws {
                let price = try await shop.money(amount)
                guard let from, let until else {
                    let variant = try await shop.client.admin.setPrice(sku: sku, price)
                    return try shop.show(variant, as: VariantText.blocks(variant))
                }
                let scheduled = try await shop.client.admin.schedulePrice(
                    sku: sku, price, from: from.date, until: until.date)
                try shop.show(scheduled, as: ScheduledPriceText.list([scheduled]))
            }
        }

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List the prices that hold for a time, the latest first.")

            @OptionGroup var global: GlobalOptions

            @Option(help: "Only those of this SKU.")
            var sku: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let found = try await shop.client.admin.scheduledPrices(
                    sku: sku, limit: page.limit, cursor: page.cursor)
                try shop.show(found, as: ScheduledPriceText.list(found.items))
                page.noteNext(found.nextCursor, in: shop)
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove a price for a time; the SKU's own holds again.")

            static let adviceWhenNotFound = "`pouch admin price list` lists them, with their ids."

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The id, as `pouch admin price list` lists it.")
            var id: String

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeScheduledPrice(id: id)
                if !shop.printsJSON { shop.output.show([.line("Removed.")]) }
            }
        }
    }
#endif
