#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminCategoryCommand: CommandFamily {
        static let commandName = "category"
        static let abstract = "List, create, rename and remove categories."
        static let subcommands: [any NamedCommand.Type] = [List.self, Set.self, Remove.self]

        struct List: ShopCommand {
            static let abstract = "List all categories, including those without products."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.categories, shop.admin.categories)
            }
        }

        struct Set: ShopCommand {
            static let abstract = "Create a category, or rename one."

            @Argument(help: "The ID, as in URLs: a-z, 0-9 and hyphens.")
            var id: String
            @Argument(help: "The name.")
            var name: String

            func run(in shop: Shop) async throws {
                let category = try await shop.admin.setCategory(id: id, name: name)
                try shop.show(category) { TaxonomyText.categories([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a category without products."

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound { NotFound("category", id, "`pouch admin category` lists them.") }

            func run(in shop: Shop) async throws {
                try await shop.admin.removeCategory(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    enum AdminSeasonCommand: CommandFamily {
        static let commandName = "season"
        static let abstract = "List, create, change and remove seasons."
        static let subcommands: [any NamedCommand.Type] = [List.self, Set.self, Remove.self]

        struct List: ShopCommand {
            static let abstract = "List all seasons, including past and future ones."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.seasons, shop.admin.seasons)
            }
        }

        struct Set: ShopCommand {
            static let abstract = "Create a season, or replace its name and times."
            static let discussion =
                "Customers cannot see a season before --from. After --until, lists omit its products."

            @Argument(help: "The ID.")
            var id: String
            @Argument(help: "The name.")
            var name: String
            @Option(help: .value("time", "The start: \(Moment.form). (default: no limit)"))
            var from: Moment?
            @Option(help: .value("time", "The end; a date includes the whole day. (default: no limit)"))
            var until: Moment?

            func validate() throws { try Moment.check(from, "--from", until, "--until") }

            func run(in shop: Shop) async throws {
                let terms = SeasonTerms(
                    name: name, startsAt: try await shop.start(from), endsAt: try await shop.end(until))
                try shop.show(try await shop.admin.setSeason(id: id, terms)) { TaxonomyText.seasons([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a season without products and themes."

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound { NotFound("season", id, "`pouch admin season` lists them.") }

            func run(in shop: Shop) async throws {
                try await shop.admin.removeSeason(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    enum AdminThemeCommand: CommandFamily {
        static let commandName = "theme"
        static let abstract = "List, create, change and remove themes, the collections of a season."
        static let subcommands: [any NamedCommand.Type] = [List.self, Set.self, Remove.self]

        struct List: ShopCommand {
            static let abstract = "List the themes of all seasons."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.themes, shop.admin.themes)
            }
        }

        struct Set: ShopCommand {
            static let abstract = "Create a theme, or replace its name and season."
            static let discussion = "`pouch admin product edit HANDLE --theme ID` adds a product to it."

            @Argument(help: "The ID.")
            var id: String
            @Argument(help: "The name.")
            var name: String
            @Option(help: "The ID of its season, as `pouch admin season` lists it.")
            var season: String

            func run(in shop: Shop) async throws {
                let theme = try await shop.admin.setTheme(id: id, name: name, seasonId: season)
                try shop.show(theme) { TaxonomyText.themes([$0]) }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a theme without products."

            @Argument(help: "The ID.")
            var id: String

            var notFound: NotFound { NotFound("theme", id, "`pouch admin theme` lists them.") }

            func run(in shop: Shop) async throws {
                try await shop.admin.removeTheme(id: id)
                shop.confirm("Removed.")
            }
        }
    }

    enum AdminPromotionCommand: CommandFamily {
        static let commandName = "promotion"
        static let abstract = "List and set the products on the front page."
        static let subcommands: [any NamedCommand.Type] = [List.self, Set.self]

        struct List: ShopCommand {
            static let abstract = "List the products on the front page, including unpublished ones."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: TaxonomyText.promotions, shop.admin.promotions)
            }
        }

        struct Set: ShopCommand {
            static let abstract =
                "Replace the products on the front page. Each shows its promotion picture, or its first."

            @Argument(help: "Handles or IDs, in display order.")
            var products: [String] = []
            @Flag(name: .customLong("none"), help: "Empty the front page.")
            var isEmpty = false

            func validate() throws {
                guard products.isEmpty == isEmpty else {
                    throw ValidationError("Name the products, or use --none to empty the front page.")
                }
            }

            func run(in shop: Shop) async throws {
                let items = products.map { PromotionTerms(product: $0) }
                let after = try await shop.admin.setPromotions(items)
                try shop.show(Page(items: after, nextCursor: nil)) { TaxonomyText.promotions($0.items) }
            }
        }
    }

    struct AdminExportCommand: ShopCommand {
        static let commandName = "export"
        static let abstract = "Write all products to a CSV file, for a spreadsheet."
        static let discussion = """
            `pouch admin import FILE` imports the edited file. Products that did not change stay as they are, and \
            a changed quantity adds the difference to the stock, once. Deleting a row has no effect.
            """

        @OptionGroup var target: ExportOptions

        func run(in shop: Shop) async throws {
            try await target.export(in: shop) { try await shop.admin.exportProducts(to: $0) }
        }
    }

    private enum TaxonomyText {
        static func categories(_ categories: [PouchEntities.Category]) -> [Output] {
            .list(
                categories, orElse: "There are no categories.",
                [Field("ID", .bold, \.id), Field("NAME", \.name), Field(.number("PRODUCTS"), \.productCount)])
        }

        static func seasons(_ seasons: [Season]) -> [Output] {
            .list(
                seasons, orElse: "There are no seasons.",
                [
                    Field("ID", .bold, \.id), Field("NAME", \.name), Field("FROM", \.startsAt),
                    Field("UNTIL", \.endsAt),
                ])
        }

        static func themes(_ themes: [Theme]) -> [Output] {
            .list(
                themes, orElse: "There are no themes.",
                [Field("ID", .bold, \.id), Field("NAME", \.name), Field("SEASON", \.seasonId)])
        }

        static func promotions(_ promotions: [ManagedPromotion]) -> [Output] {
            .list(
                promotions, orElse: "The front page is empty.",
                [
                    Field(.number("PLACE")) { $0.position + 1 }, Field("HANDLE", .bold, \.handle),
                    Field("NAME", \.name), Field("STATUS") { ManagedText.status($0.status) },
                ])
        }
    }
#endif
