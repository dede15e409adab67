#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminCategoryCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "category", abstract: "List, create, rename and remove categories.",
            subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List all categories, including those without products.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.categories) { limit, cursor in
                    try await shop.client.admin.categories(limit: limit, cursor: cursor)
                }
            }
        }

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Create a category, or rename one.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID, as in URLs: a-z, 0-9 and hyphens.")
            var id: String
            @Argument(help: "The name.")
            var name: String

            func run(in shop: Shop) async throws {
                let category = try await shop.client.admin.setCategory(id: id, name: name)
                try shop.show(category) { TaxonomyText.categories([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a category without products.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound {
                NotFound(message: "No such category: \(id).", advice: "`pouch admin category` lists them.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeCategory(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    struct AdminSeasonCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "season", abstract: "List, create, change and remove seasons.",
            subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List all seasons, including past and future ones.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.seasons) { limit, cursor in
                    try await shop.client.admin.seasons(limit: limit, cursor: cursor)
                }
            }
        }

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Create a season, or replace its name and times.",
                discussion:
                    "Customers cannot see a season before --from. After --until, lists omit its products.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID.")
            var id: String
            @Argument(help: "The name.")
            var name: String
            @Option(help: ArgumentHelp("The start: \(Moment.form). (default: no limit)", valueName: "time"))
            var from: Moment?
            @Option(
                help: ArgumentHelp("The end; a date includes the whole day. (default: no limit)", valueName: "time"))
            var until: Moment?

            func validate() throws { try Moment.check(from, "--from", until, "--until") }

            func run(in shop: Shop) async throws {
                let terms = SeasonTerms(
                    name: name, startsAt: try await shop.start(from), endsAt: try await shop.end(until))
                try shop.show(try await shop.client.admin.setSeason(id: id, terms)) { TaxonomyText.seasons([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a season without products and themes.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound {
                NotFound(message: "No such season: \(id).", advice: "`pouch admin season` lists them.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeSeason(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    struct AdminThemeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "theme", abstract: "List, create, change and remove themes, the collections of a season.",
            subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List the themes of all seasons.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.themes) { limit, cursor in
                    try await shop.client.admin.themes(limit: limit, cursor: cursor)
                }
            }
        }

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Create a theme, or replace its name and season.",
                discussion: "`pouch admin product edit HANDLE --theme ID` adds a product to it.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID.")
            var id: String
            @Argument(help: "The name.")
            var name: String
            @Option(help: "The ID of its season, as `pouch admin season` lists it.")
            var season: String

            func run(in shop: Shop) async throws {
                let theme = try await shop.client.admin.setTheme(id: id, name: name, seasonId: season)
                try shop.show(theme) { TaxonomyText.themes([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a theme without products.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound {
                NotFound(message: "No such theme: \(id).", advice: "`pouch admin theme` lists them.")
            }

            func run(in shop: Shop) async throws {
                try await shop.client.admin.removeTheme(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    struct AdminPromotionCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "promotion", abstract: "List and set the products on the front page.",
            subcommands: [List.self, Set.self], defaultSubcommand: List.self)

        @OptionGroup var global: GlobalOptions

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List the products on the front page, including unpublished ones.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.promotions) { limit, cursor in
                    try await shop.client.admin.promotions(limit: limit, cursor: cursor)
                }
            }
        }

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Replace the products on the front page. Each shows its promotion picture, or its first."
            )

            @OptionGroup var global: GlobalOptions

            @Argument(help: "Handles or IDs, in display order; none to empty the front page.")
            var products: [String] = []

            func run(in shop: Shop) async throws {
                let items = products.map { PromotionTerms(product: $0) }
                let after = try await shop.client.admin.setPromotions(items)
                try shop.show(Page(items: after, nextCursor: nil)) { TaxonomyText.promotions($0.items) }
            }
        }
    }

    struct AdminExportCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write all products to a CSV file, for a spreadsheet.",
            discussion: """
                `pouch admin import FILE` imports the edited file. Products that did not change stay as they are, and \
                a changed quantity adds the difference to the stock, once. Deleting a row has no effect.
                """)

        @OptionGroup var global: GlobalOptions

        @OptionGroup var target: ExportOptions

        func run(in shop: Shop) async throws {
            try await target.export(in: shop) { try await shop.client.admin.exportProducts(to: $0) }
        }
    }

    private enum TaxonomyText {
        static func categories(_ categories: [PouchEntities.Category]) -> [Output] {
            .list(categories, orElse: "There are no categories.", ["ID", "NAME", .number("PRODUCTS")]) {
                [StyledText($0.id, .bold), StyledText($0.name), "\($0.productCount)"]
            }
        }

        static func seasons(_ seasons: [Season]) -> [Output] {
            .list(seasons, orElse: "There are no seasons.", ["ID", "NAME", "FROM", "UNTIL"]) { season in
                [
                    StyledText(season.id, .bold), StyledText(season.name),
                    season.startsAt.map { StyledText(time: $0) } ?? "",
                    season.endsAt.map { StyledText(time: $0) } ?? "",
                ]
            }
        }

        static func themes(_ themes: [Theme]) -> [Output] {
            .list(themes, orElse: "There are no themes.", ["ID", "NAME", "SEASON"]) {
                [StyledText($0.id, .bold), StyledText($0.name), StyledText($0.seasonId)]
            }
        }

        static func promotions(_ promotions: [ManagedPromotion]) -> [Output] {
            .list(promotions, orElse: "The front page is empty.", [.number("PLACE"), "HANDLE", "NAME", "STATUS"]) {
                [
                    "\($0.position + 1)", StyledText($0.handle, .bold), StyledText($0.name),
                    ManagedText.status($0.status),
                ]
            }
        }
    }
#endif
