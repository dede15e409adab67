#if TerminalPrograms
    import ArgumentParser
    import PouchClient

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
        @OptionGroup var page: PageOptions

        func validate() throws {
            if sort == .relevance, search == nil { throw ValidationError("--sort relevance needs --search TEXT.") }
        }

        func run(in shop: Shop) async throws {
            let query = ProductQuery(
                season: season, category: category, search: search, sort: sort, limit: page.limit, cursor: page.cursor)
            let found = try await shop.client.catalog.products(query)
            try shop.show(found, as: ProductText.list(found.items))
            page.noteNext(found.nextCursor, in: shop)
        }
    }
#endif
