#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminVariantCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "variant", abstract: "Add, change and remove the variants of a product.",
            subcommands: [Add.self, Edit.self, Remove.self])

        @OptionGroup var global: GlobalOptions

        struct Add: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Add a variant.", discussion: Confirmation.priceOfNothing)

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Option(
                name: .customLong("option"),
                help: ArgumentHelp(
                    "A value of an option, such as Size=M; one for each option.", valueName: "name=value"))
            var options: [OptionValue] = []
            @Option(parsing: .unconditional, help: ArgumentHelp("The price, for example 42.99.", valueName: "amount"))
            var price: String
            @Option(help: "The SKU. (default: derived from the handle and the options)")
            var sku: String?
            @Option(parsing: .unconditional, help: ArgumentHelp("The units on hand. (default: 0)", valueName: "units"))
            var stock: StockUnits?
            @Option(parsing: .unconditional, help: "The weight in grams.")
            var grams: Int?
            @OptionGroup var confirmation: Confirmation

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                let name = sku ?? "a variant of \(product.product)"
                let money = try await confirmation.price(price, of: name, in: shop)
                let shown = try await product.read(in: shop)
                let variant = VariantTerms(
                    sku: sku, options: Dictionary(options.map { ($0.name, $0.value) }) { $1 },
                    price: money, weightGrams: grams, stock: stock?.units)
                var terms = ProductTerms(shown)
                terms.variants = (terms.variants ?? []) + [variant]
                try shop.show(try await shop.client.admin.changeProduct(shown, to: terms), as: ManagedText.details)
            }
        }

        struct Edit: EditCommand {
            static let configuration = CommandConfiguration(
                abstract: "Change a variant.",
                discussion: """
                    `pouch admin stock` changes its stock, `pouch admin price` its price for a period. \
                    \(Confirmation.priceOfNothing)
                    """)

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Argument(help: "The SKU.")
            var sku: String
            @Option(
                name: .customLong("option"), help: ArgumentHelp("A new value of an option.", valueName: "name=value"))
            var options: [OptionValue] = []
            @Option(parsing: .unconditional, help: ArgumentHelp("The price.", valueName: "amount"))
            var price: String?
            @Option(
                parsing: .unconditional,
                help: ArgumentHelp("The price before the reduction; empty for none.", valueName: "amount"))
            var compareAt: String?
            @Option(parsing: .unconditional, help: "The weight in grams.")
            var grams: Int?
            @OptionGroup var confirmation: Confirmation

            static let example = "--price"
            var namesChange: Bool { !options.isEmpty || price != nil || compareAt != nil || grams != nil }

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                let shown = try await product.read(in: shop)
                var terms = ProductTerms(shown)
                guard let index = terms.variants?.firstIndex(where: { $0.sku == sku }),
                    var variant = terms.variants?[index]
                else { throw AdminVariantCommand.unknown(sku, product) }
                for option in options { variant.options?[option.name] = option.value }
                if let price { variant.price = try await confirmation.price(price, of: sku, in: shop) }
                if let compareAt { variant.compareAtPrice = compareAt.isEmpty ? nil : try await shop.money(compareAt) }
                if let grams { variant.weightGrams = grams }
                terms.variants?[index] = variant
                try shop.show(try await shop.client.admin.changeProduct(shown, to: terms), as: ManagedText.details)
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove a variant. Past orders keep it; other products cannot use its SKU.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Argument(help: "The SKU.")
            var sku: String

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                let shown = try await product.read(in: shop)
                var terms = ProductTerms(shown)
                terms.variants?.removeAll { $0.sku == sku }
                guard terms.variants?.count != shown.variants.count else {
                    throw AdminVariantCommand.unknown(sku, product)
                }
                try shop.show(try await shop.client.admin.changeProduct(shown, to: terms), as: ManagedText.details)
            }
        }

        fileprivate static func unknown(_ sku: String, _ product: ProductArgument) -> Refusal {
            Refusal(
                "\(product.product) has no variant \(sku).",
                "`pouch admin product show \(product.product)` lists its variants.",
                .notFound)
        }
    }

    /// `Size=M`
    struct OptionValue: ExpressibleByArgument {
        let name: String
        let value: String

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            (name, value) = (String(parts[0]), String(parts[1]))
        }
    }

    struct AdminPictureCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "picture", abstract: "Add, reorder and remove the pictures of a product.",
            subcommands: [Add.self, Move.self, Remove.self])

        @OptionGroup var global: GlobalOptions

        struct Add: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Upload a picture, and add it after the others.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Argument(help: "A PNG, JPEG, WebP or GIF file.")
            var file: String
            @Option(help: "A description for people who cannot see it. (default: the product's name)")
            var alt: String?

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                let file = URL(fileURLWithPath: file)
                guard FileManager.default.isReadableFile(atPath: file.path) else {
                    throw Refusal("\(self.file) cannot be read.", "Check the path and its permissions.", .usage)
                }
                guard let mediaType = Self.mediaTypes[file.pathExtension.lowercased()] else {
                    throw Refusal(
                        "\(file.lastPathComponent) is not an image type the shop accepts.",
                        "Use a file that ends in .png, .jpg, .webp or .gif.", .usage)
                }
                let shown = try await product.read(in: shop)
                let picture = try await shop.client.admin.addPicture(file: file, mediaType: mediaType)
                var terms = ProductTerms(shown)
                terms.images = (terms.images ?? []) + [ProductImage(url: picture.url, alt: alt ?? shown.name)]
                try shop.show(try await shop.client.admin.changeProduct(shown, to: terms), as: ManagedText.details)
            }

            private static let mediaTypes = [
                "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
            ]
        }

        struct Move: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Move a picture to another position.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Argument(help: "The number of the picture, from 1.")
            var number: Int
            @Option(parsing: .unconditional, help: ArgumentHelp("Its new number.", valueName: "number"))
            var to: Int

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                try await AdminPictureCommand.change(product, number, in: shop) { images, picture in
                    images.insert(picture, at: min(max(to, 1) - 1, images.count))
                }
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a picture from a product.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var product: ProductArgument

            @Argument(help: "The number of the picture, from 1.")
            var number: Int

            var notFound: NotFound { .managedProduct(product.product) }

            func run(in shop: Shop) async throws {
                try await AdminPictureCommand.change(product, number, in: shop) { _, _ in }
            }
        }

        /// Takes the picture out of the list, and lets `change` put it back.
        private static func change(
            _ product: ProductArgument, _ number: Int, in shop: Shop,
            _ change: (inout [ProductImage], ProductImage) -> Void
        ) async throws {
            let shown = try await product.read(in: shop)
            var images = shown.details.images
            guard number >= 1, number <= images.count else {
                throw Refusal(
                    "\(product.product) has \(images.count) pictures.", "Use a number from 1 to \(images.count).",
                    .notFound)
            }
            let picture = images.remove(at: number - 1)
            change(&images, picture)
            var terms = ProductTerms(shown)
            terms.images = images
            try shop.show(try await shop.client.admin.changeProduct(shown, to: terms), as: ManagedText.details)
        }
    }
#endif
