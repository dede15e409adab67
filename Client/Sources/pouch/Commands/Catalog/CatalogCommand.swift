#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    struct CatalogCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "catalog", abstract: "List products.",
            discussion: "In a pipe: name, handle, price and stock, with tabs between.")

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("Words to look for; small typos are allowed.", valueName: "text"))
        var search: String?
        @Option(help: ArgumentHelp("Only products of the category with this id.", valueName: "id"))
        var category: String?
        @Option(help: ArgumentHelp("Only products of the season with this id.", valueName: "id"))
        var season: String?
        @Option(help: "The order of the list.")
        var sort: ProductSort?
        @Option(help: ArgumentHelp("At most this many, 1 to 200. (default: 50)", valueName: "number"))
        var limit: Int?

        func validate() throws {
            if let limit, !(1...200).contains(limit) { throw ValidationError("--limit takes a number from 1 to 200.") }
            if sort == .relevance, search == nil { throw ValidationError("--sort relevance needs --search TEXT.") }
        }

        func run(in shop: Shop) async throws {
            let query = ProductQuery(season: season, category: category, search: search, sort: sort, limit: limit)
            let page = try await shop.client.catalog.products(query)
            try shop.show(page, as: ProductText.list(page.items))
            if page.nextCursor != nil, shop.output.isTerminal, !shop.printsJSON {
                shop.note(
                    StyledText("There are more; narrow the list with --search or --category, or raise --limit.", .dim))
            }
        }
    }
#endif
