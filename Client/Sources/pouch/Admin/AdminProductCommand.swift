#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminProductCommand: CommandFamily {
        static let commandName = "product"
        static let abstract = "List, create and change products."
        static let discussion = """
            A new product is a draft. Customers see it once it is published, and can buy it until it is withdrawn; \
            past orders keep it. Refer to a product by its handle or ID.
            """
        static let subcommands: [any NamedCommand.Type] = [
            List.self, Show.self, Add.self, Edit.self, Publish.self, Withdraw.self, Archive.self, Restore.self,
            AdminVariantCommand.self, AdminPictureCommand.self,
        ]

        struct List: ShopCommand {
            static let abstract = "List the products, newest first."

            @Option(help: "Only products with this status: draft, published, withdrawn or archived.")
            var status: ProductStatus?
            @Option(help: .value("text", "Part of the name, the handle, the style code or a SKU."))
            var search: String?
            @Option(help: "Only products of this category.")
            var category: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: ManagedText.list) { limit, cursor in
                    try await shop.admin.products(
                        status: status, matching: search, category: category, limit: limit, cursor: cursor)
                }
            }
        }

        struct Show: ManagedProductCommand {
            static let abstract = "Show a product with its variants, their stock and their scheduled prices."

            @OptionGroup var product: ProductArgument

            func run(in shop: Shop) async throws {
                let shown = try await product.read(in: shop)
                let prices = try await shop.printsJSON ? [] : scheduledPrices(of: shown, in: shop)
                try shop.show(shown) { ManagedText.details($0) + ManagedText.scheduled(prices) }
            }

            /// The present and future prices of all variants, by SKU and time.
            private func scheduledPrices(of shown: ManagedProduct, in shop: Shop) async throws -> [ScheduledPrice] {
                let (admin, now) = (shop.admin, Date())
                let prices: [ScheduledPrice] = try await withThrowingTaskGroup(of: [ScheduledPrice].self) { group in
                    for variant in shown.variants {
                        group.addTask {
                            var found: [ScheduledPrice] = []
                            for try await price in admin.allScheduledPrices(sku: variant.sku) { found.append(price) }
                            return found
                        }
                    }
                    return try await group.reduce(into: [ScheduledPrice]()) { $0 += $1 }
                }
                return prices.filter { $0.endsAt > now }.sorted { ($0.sku, $0.startsAt) < ($1.sku, $1.startsAt) }
            }
        }

        struct Add: ShopCommand {
            static let abstract = "Create a draft of a product, with one variant if it has a price."
            static let discussion = Confirmation.priceOfNothing

            @Argument(help: "The name.")
            var name: String
            @Option(help: "The name in URLs. (default: derived from the name)")
            var handle: String?
            @OptionGroup var texts: ProductTexts
            @Option(parsing: .unconditional, help: .value("amount", "The price of the variant, for example 42.99."))
            var price: String?
            @Option(help: "The SKU of the variant. (default: the handle)")
            var sku: String?
            @Option(parsing: .unconditional, help: .value("units", "The units of the variant. (default: 0)"))
            var stock: StockUnits?
            @Flag(help: "Publish it at once.")
            var publish = false
            @OptionGroup var confirmation: Confirmation

            func validate() throws {
                if price == nil, sku != nil || stock != nil || publish {
                    throw ValidationError("A variant, and therefore a published product, requires --price.")
                }
            }

            func run(in shop: Shop) async throws {
                var terms = ProductTerms(name: name, handle: handle, status: publish ? .published : nil)
                texts.apply(to: &terms)
                if let price {
                    let money = try await confirmation.price(price, of: sku ?? name, in: shop)
                    terms.variants = [VariantTerms(sku: sku, price: money, stock: stock?.units)]
                }
                let added = try await shop.admin.addProduct(terms)
                try shop.show(added, as: ManagedText.details)
                noteNamesake(of: added, in: shop)
            }

            /// The server numbers a handle that another product has. The user may have added the same product twice.
            private func noteNamesake(of added: ManagedProduct, in shop: Shop) {
                let wanted = name.slug
                guard handle == nil, !wanted.isEmpty, added.handle.hasPrefix(wanted + "-") else { return }
                shop.note(
                    StyledText(
                        "Another product has the handle \(wanted), so this one is \(added.handle). If it is the same "
                            + "product, archive this one: `pouch admin product archive \(added.handle)`.", .yellow))
            }
        }

        struct Edit: EditCommand, ManagedProductCommand {
            static let abstract = "Change the texts of a product. An empty text clears the value."

            @OptionGroup var product: ProductArgument

            @Option(help: "The name.")
            var name: String?
            @Option(help: "The name in URLs.")
            var handle: String?
            @OptionGroup var texts: ProductTexts

            static let example = "--name"
            var namesChange: Bool { name != nil || handle != nil || !texts.isEmpty }

            func run(in shop: Shop) async throws {
                try await product.edit(in: shop) { _, terms in
                    if let name { terms.name = name }
                    if let handle { terms.handle = handle }
                    texts.apply(to: &terms)
                }
            }
        }

        struct Publish: ManagedProductCommand {
            static let abstract = "Put a product on sale, now or at a given time."

            @OptionGroup var product: ProductArgument

            @Option(help: .value("time", "When it goes on sale: \(Moment.form)."))
            var at: Moment?
            @Option(help: .value("time", "When it is withdrawn again; a date includes the whole day."))
            var until: Moment?

            func validate() throws {
                try at?.checkFuture("--at")
                try until?.checkFuture("--until")
                try Moment.check(at, "--at", until, "--until")
            }

            func run(in shop: Shop) async throws {
                try await product.update(in: shop) { shown in
                    guard shown.state.status != .archived else {
                        let handle = shown.details.handle
                        throw Refusal(
                            "\(handle) is archived.",
                            "`pouch admin product restore \(handle)` restores it; then publish it.",
                            .refused)
                    }
                    return try await shop.admin.publish(
                        shown, at: try await shop.start(at), until: try await shop.end(until))
                }
            }
        }

        struct Withdraw: ManagedProductCommand {
            static let abstract = "Take a product off sale, now or at a given time."

            @OptionGroup var product: ProductArgument

            @Option(help: .value("time", "When it is withdrawn: \(Moment.form)."))
            var at: Moment?

            func validate() throws { try at?.checkFuture("--at") }

            func run(in shop: Shop) async throws {
                try await product.update(in: shop) { try await shop.admin.withdraw($0, at: try await shop.start(at)) }
            }
        }

        struct Archive: ManagedProductCommand {
            static let abstract = "Archive a product that is no longer in the range."

            @OptionGroup var product: ProductArgument

            func run(in shop: Shop) async throws {
                try await product.update(in: shop) { try await shop.admin.archive($0) }
            }
        }

        struct Restore: ManagedProductCommand {
            static let abstract = "Restore an archived product; it is not on sale until you publish it."

            @OptionGroup var product: ProductArgument

            func run(in shop: Shop) async throws {
                try await product.update(in: shop) { shown in
                    guard shown.state.status == .archived else {
                        throw Refusal(
                            "\(shown.details.handle) is \(shown.state.status.title), not archived. Nothing was changed.",
                            "`pouch admin product withdraw` takes a product off sale.", .refused)
                    }
                    return try await shop.admin.withdraw(shown)
                }
            }
        }
    }

    struct ProductArgument: ParsableArguments {
        @Argument(help: "The product's handle or ID, as `pouch admin product` lists it.")
        var product: String

        func read(in shop: Shop) async throws -> ManagedProduct {
            try await shop.admin.product(product)
        }

        /// Reads the product, changes it, and shows the result.
        func update(
            in shop: Shop, _ change: (ManagedProduct) async throws -> ManagedProduct
        ) async throws {
            try shop.show(try await change(try await read(in: shop)), as: ManagedText.details)
        }

        /// Changes the terms of the product, and shows the result.
        func edit(
            in shop: Shop, _ change: (ManagedProduct, inout ProductTerms) async throws -> Void
        ) async throws {
            try await update(in: shop) { shown in
                var terms = ProductTerms(shown)
                try await change(shown, &terms)
                return try await shop.admin.changeProduct(shown, to: terms)
            }
        }
    }

    /// A command for one product.
    protocol ManagedProductCommand: ShopCommand {
        var product: ProductArgument { get }
    }

    extension ManagedProductCommand {
        var notFound: NotFound {
            NotFound("product", product.product, "`pouch admin product` lists them.")
        }
    }

    /// The texts of a product; those left out do not change.
    struct ProductTexts: ParsableArguments {
        @Option(help: "The description, in plain text.")
        var description: String?
        @Option(help: "The ID of its category, as `pouch admin category` lists it.")
        var category: String?
        @Option(help: .value("words", "Its tags, separated by commas."))
        var tags: String?
        @Option(help: "The ID of its season, as `pouch admin season` lists it.")
        var season: String?
        @Option(help: "The ID of its theme, as `pouch admin theme` lists it.")
        var theme: String?

        var isEmpty: Bool { [description, category, tags, season, theme].allSatisfy { $0 == nil } }

        func apply(to terms: inout ProductTerms) {
            func text(_ value: String) -> String? { value.isEmpty ? nil : value }
            if let description { terms.description = text(description) }
            if let category { terms.category = text(category) ?? "uncategorised" }
            if let tags { terms.tags = tags.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
            if let season { terms.seasonId = text(season) }
            if let theme { terms.themeId = text(theme) }
        }
    }

    extension ProductStatus: @retroactive ExpressibleByArgument, PrintedWord {}

    /// Products as staff see them.
    enum ManagedText {
        static func list(_ products: [ManagedProduct]) -> [Output] {
            .list(
                products, orElse: "No matching products.",
                [
                    Field("HANDLE", .bold, \.handle), Field("NAME", \.name), Field("STATUS") { status($0.status) },
                    Field(.number("VARIANTS"), \.variants.count),
                    Field(.number("AVAILABLE")) { $0.variants.map(\.available).reduce(0, +) },
                ])
        }

        /// The values that staff can set, without those that are empty.
        static func details(_ product: ManagedProduct) -> [Output] {
            let details = product.details
            var output: [Output] = [
                .line(StyledText(product.name, .bold) + StyledText("  \(product.handle)  \(product.id)", .dim)),
                .line(status(product.status) + times(product.state)),
            ]
            if let description = details.description, !description.isEmpty {
                output += [.blank] + description.split(separator: "\n").map { .line(StyledText(String($0))) }
            }
            output.append(.blank)
            output += .facts(facts(details))
            output += pictures(details)
            output.append(.blank)
            return output + variants(product)
        }

        /// The scheduled prices in a table below the details; empty without any.
        static func scheduled(_ prices: [ScheduledPrice]) -> [Output] {
            prices.isEmpty ? [] : [.blank, .line(StyledText("Scheduled prices", .dim))] + PriceText.list(prices)
        }

        static func status(_ status: ProductStatus) -> StyledText {
            StyledText(status.title, status == .published ? .green : .yellow)
        }

        private static func times(_ state: ProductState) -> StyledText {
            var text = StyledText("")
            if let time = state.publishAt { text = text + StyledText("  published from ") + StyledText(time: time) }
            if let time = state.withdrawAt { text = text + StyledText("  withdrawn at ") + StyledText(time: time) }
            return text
        }

        private static func facts(_ details: ProductDetails) -> [(name: String, value: (any Cell)?)] {
            var facts: [(name: String, value: (any Cell)?)] = [
                ("Style code", details.styleCode), ("Category", details.category), ("Season", details.seasonId),
                ("Theme", details.themeId), ("Tags", details.tags.joined(separator: ", ")),
                ("Materials", details.materials?.joined(separator: ", ")), ("Care", details.careInstructions),
            ]
            for option in details.options {
                facts.append((name: "Option \(option.name)", value: option.values.joined(separator: ", ")))
            }
            return facts
        }

        private static func pictures(_ details: ProductDetails) -> [Output] {
            var named = details.images.enumerated().map { (name: "picture \($0.offset + 1)", image: $0.element) }
            if let image = details.promoImage { named.append((name: "picture for promotions", image: image)) }
            let lines = named.map { Output.line(StyledText("\($0.name)  \($0.image.url)  \($0.image.alt)", .dim)) }
            return lines.isEmpty ? [] : [.blank] + lines
        }

        private static func variants(_ product: ManagedProduct) -> [Output] {
            .list(
                product.variants, orElse: "There are no variants yet.",
                [
                    Field("SKU", .bold, \.sku),
                    Field(.text("OPTIONS")) { variant in
                        product.details.options.compactMap { variant.options[$0.name] }.joined(separator: ", ")
                    },
                    Field(.number("PRICE"), \.price), Field(.number("COMPARE AT"), \.compareAtPrice),
                    Field(.number("GRAMS"), \.weightGrams), Field(.number("AVAILABLE"), \.available),
                    Field(.number("ON HAND"), \.onHand), Field(.number("HELD"), \.held),
                ])
        }
    }
#endif
