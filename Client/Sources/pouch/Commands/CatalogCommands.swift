#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct CatalogCommand: ShopCommand {
        static let commandName = "catalog"
        static let abstract = "List products."
        static let discussion = "In a pipe: name, handle, price and stock, separated by tabs."

        @Option(help: .value("text", "Words to search for; small typos are allowed."))
        var search: String?
        @Option(help: .value("id", "Only products of the category with this ID, as `pouch product HANDLE` shows it."))
        var category: String?
        @Option(
            help: .value(
                "id", "Only products of the season with this ID, the seasonId of `pouch product HANDLE --json`."))
        var season: String?
        @Option(help: "The order of the list. (default: newest, or relevance with --search)")
        var sort: ProductSort?
        @OptionGroup var page: PageOptions

        func validate() throws {
            if sort == .relevance, search == nil { throw ValidationError("--sort relevance needs --search TEXT.") }
        }

        func run(in shop: Shop) async throws {
            try await page.show(in: shop, as: { ProductText.list($0) }) { limit, cursor in
                let query = ProductQuery(
                    season: season, category: category, search: search, sort: sort, limit: limit, cursor: cursor)
                let found = try await shop.client.catalog.products(query).value
                return Page(items: found.items, nextCursor: found.nextCursor)
            }
        }
    }

    struct ProductCommand: ShopCommand {
        static let commandName = "product"
        static let abstract = "Show a product with its variants and their SKUs."

        @Argument(help: "The product's handle, as `pouch catalog` lists it.")
        var handle: String
        @Option(
            help: .value("file", "Also download its first picture; resumes an interrupted download."),
            transform: { URL(filePath: $0) })
        var savePicture: URL?

        var notFound: NotFound {
            NotFound("product", handle, "`pouch catalog` lists the products, with their handles.")
        }

        func run(in shop: Shop) async throws {
            let product = try await shop.client.catalog.product(handle: handle).value
            try shop.show(product, as: ProductText.details)
            guard let savePicture else { return }
            guard let picture = product.images.first else {
                throw Refusal("The product has no picture.", "Leave out --save-picture.", .notFound)
            }
            try await shop.client.assets.download(picture, to: savePicture)
        }
    }

    struct PromotionsCommand: ShopCommand {
        static let commandName = "promotions"
        static let abstract = "List the products that the shop promotes."

        func run(in shop: Shop) async throws {
            let promotions = try await shop.client.catalog.promotions()
            try shop.show(Page(items: promotions)) {
                ProductText.list($0.items.map(\.product), orElse: "There are no promotions at the moment.")
            }
        }
    }

    extension ProductSort: @retroactive ExpressibleByArgument {}

    private enum ProductText {
        static func list(_ products: [Product], orElse none: StyledText = "No matching products.") -> [Output] {
            .list(
                products, orElse: none,
                [
                    Field("NAME", .bold, \.name), Field("HANDLE", \.handle), Field("PRICE") { price(of: $0) },
                    Field("STOCK") { StyledText(stock: $0.available) },
                ])
        }

        static func details(_ product: Product) -> [Output] {
            var output: [Output] = [
                .line(StyledText(product.name, .bold)),
                .line(price(of: product) + "  " + StyledText(stock: product.available)),
            ]
            if let description = product.description, !description.isEmpty {
                output += [.blank] + description.split(separator: "\n").map { .line(StyledText(String($0))) }
            }
            output += [.blank]
            output += .facts([
                ("Category", product.category), ("Materials", product.materials?.joined(separator: ", ")),
                ("Care", product.careInstructions), ("Tags", product.tags.joined(separator: ", ")),
            ])
            output += [.blank, variants(product)]
            if let wanted = product.variants.first(where: { $0.available > 0 }) {
                output += [.blank, .line(StyledText("Add one: ", .dim) + StyledText("pouch cart add \(wanted.sku)"))]
            }
            return output
        }

        private static func variants(_ product: Product) -> Output {
            let options = product.options.map(\.name)
            return .table(
                ["SKU"] + options.map { Output.Column($0.uppercased()) } + ["PRICE", "STOCK"],
                product.variants.map { variant in
                    [StyledText(variant.sku)] + options.map { StyledText(variant.options[$0] ?? "") } + [
                        price(variant.price, before: variant.compareAtPrice), StyledText(stock: variant.available),
                    ]
                })
        }

        /// The lowest price of a product, marked as the lowest if prices differ.
        private static func price(of product: Product) -> StyledText {
            (product.hasSeveralPrices ? "from " : "") + price(product.price, before: product.compareAtPrice)
        }

        /// A price, followed by the one before its reduction.
        private static func price(_ price: Money, before: Money?) -> StyledText {
            guard let before, before != price else { return StyledText(price) }
            return StyledText(price) + StyledText(" (was \(before.decimal))", .dim)
        }
    }
#endif
