#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct AdminStockCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "stock", abstract: "Set or adjust the stock of a SKU.",
            discussion: """
                --set says how many can be bought from now on, --adjust adds what came or takes what went. Units that \
                orders hold are beside both, and stock never falls below them.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "As `pouch product HANDLE` lists it.")
        var sku: String
        @Option(parsing: .unconditional, help: ArgumentHelp("How many can be bought.", valueName: "units"))
        var set: Int?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("How many more there are, or fewer, as in -3.", valueName: "units"))
        var adjust: Int?

        func validate() throws {
            guard (set == nil) != (adjust == nil) else {
                throw ValidationError("Say either --set UNITS or --adjust UNITS.")
            }
            guard set ?? 0 >= 0 else { throw ValidationError("--set takes 0 or more units.") }
        }

        func run(in shop: Shop) async throws {
            let change = set.map(StockChange.set) ?? .adjust(adjust ?? 0)
            let variant = try await shop.client.admin.changeStock(sku: sku, change)
            try shop.show(variant, as: VariantText.blocks(variant))
        }
    }
#endif
