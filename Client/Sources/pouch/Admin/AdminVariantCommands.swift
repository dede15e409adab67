#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminVariantCommand: CommandFamily {
        static let commandName = "variant"
        static let abstract = "Add, change and remove the variants of a product."
        static let subcommands: [any NamedCommand.Type] = [Add.self, Edit.self, Remove.self]
        static let hasDefault = false

        struct Add: ManagedProductCommand {
            static let abstract = "Add a variant."
            static let discussion = Confirmation.priceOfNothing

            @OptionGroup var product: ProductArgument

            @Option(
                name: .customLong("option"),
                help: .value("name=value", "A value of an option, such as Size=M; one for each option."))
            var options: [OptionValue] = []
            @Option(parsing: .unconditional, help: .value("amount", "The price, for example 42.99."))
            var price: String
            @Option(help: "The SKU. (default: derived from the handle and the options)")
            var sku: String?
            @Option(parsing: .unconditional, help: .value("units", "The units on hand. (default: 0)"))
            var stock: StockUnits?
            @Option(parsing: .unconditional, help: "The weight in grams.")
            var grams: Int?
            @OptionGroup var confirmation: Confirmation

            func run(in shop: Shop) async throws {
                let name = sku ?? "a variant of \(product.product)"
                let money = try await confirmation.price(price, of: name, in: shop)
                let variant = VariantTerms(
                    sku: sku, options: Dictionary(options.map { ($0.name, $0.value) }) { $1 },
                    price: money, weightGrams: grams, stock: stock?.units)
                try await product.edit(in: shop) { _, terms in terms.variants = (terms.variants ?? []) + [variant] }
            }
        }

        struct Edit: EditCommand, ManagedProductCommand {
            static let abstract = "Change a variant."
            static let discussion = """
                `pouch admin stock` changes its stock, `pouch admin price` its price for a period. \
                \(Confirmation.priceOfNothing)
                """

            @OptionGroup var product: ProductArgument

            @Argument(help: "The SKU.")
            var sku: String
            @Option(name: .customLong("option"), help: .value("name=value", "A new value of an option."))
            var options: [OptionValue] = []
            @Option(parsing: .unconditional, help: .value("amount", "The price."))
            var price: String?
            @Option(parsing: .unconditional, help: .value("amount", "The price before the reduction; empty for none."))
            var compareAt: String?
            @Option(parsing: .unconditional, help: "The weight in grams.")
            var grams: Int?
            @OptionGroup var confirmation: Confirmation

            static let example = "--price"
            var namesChange: Bool { !options.isEmpty || price != nil || compareAt != nil || grams != nil }

            func run(in shop: Shop) async throws {
                try await product.edit(in: shop) { _, terms in
                    guard let index = terms.variants?.firstIndex(where: { $0.sku == sku }),
                        var variant = terms.variants?[index]
                    else { throw AdminVariantCommand.unknown(sku, product) }
                    for option in options { variant.options?[option.name] = option.value }
                    if let price { variant.price = try await confirmation.price(price, of: sku, in: shop) }
                    if let compareAt {
                        variant.compareAtPrice = compareAt.isEmpty ? nil : try await shop.money(compareAt)
                    }
                    if let grams { variant.weightGrams = grams }
                    terms.variants?[index] = variant
                }
            }
        }

        struct Remove: ManagedProductCommand {
            static let abstract = "Remove a variant. Past orders keep it; other products cannot use its SKU."

            @OptionGroup var product: ProductArgument

            @Argument(help: "The SKU.")
            var sku: String

            func run(in shop: Shop) async throws {
                try await product.edit(in: shop) { shown, terms in
                    terms.variants?.removeAll { $0.sku == sku }
                    guard terms.variants?.count != shown.variants.count else {
                        throw AdminVariantCommand.unknown(sku, product)
                    }
                }
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

    enum AdminPictureCommand: CommandFamily {
        static let commandName = "picture"
        static let abstract = "Add, reorder and remove the pictures of a product."
        static let subcommands: [any NamedCommand.Type] = [Add.self, Move.self, Remove.self]
        static let hasDefault = false

        struct Add: ManagedProductCommand {
            static let abstract = "Upload a picture, and add it after the others."

            @OptionGroup var product: ProductArgument

            @Argument(help: "A PNG, JPEG, WebP or GIF file.")
            var file: String
            @Option(help: "A description for people who cannot see it. (default: the product's name)")
            var alt: String?

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
                try await product.edit(in: shop) { shown, terms in
                    let picture = try await shop.admin.addPicture(file: file, mediaType: mediaType)
                    terms.images = (terms.images ?? []) + [ProductImage(url: picture.url, alt: alt ?? shown.name)]
                }
            }

            private static let mediaTypes = [
                "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
            ]
        }

        struct Move: ManagedProductCommand {
            static let abstract = "Move a picture to another position."

            @OptionGroup var product: ProductArgument

            @Argument(help: "The number of the picture, from 1.")
            var number: Int
            @Option(parsing: .unconditional, help: .value("number", "Its new number."))
            var to: Int

            func run(in shop: Shop) async throws {
                try await AdminPictureCommand.change(product, number, in: shop) { images, picture in
                    images.insert(picture, at: min(max(to, 1) - 1, images.count))
                }
            }
        }

        struct Remove: ManagedProductCommand {
            static let abstract = "Remove a picture from a product."

            @OptionGroup var product: ProductArgument

            @Argument(help: "The number of the picture, from 1.")
            var number: Int

            func run(in shop: Shop) async throws {
                try await AdminPictureCommand.change(product, number, in: shop) { _, _ in }
            }
        }

        /// Takes the picture out of the list, and lets `change` put it back.
        private static func change(
            _ product: ProductArgument, _ number: Int, in shop: Shop,
            _ change: (inout [ProductImage], ProductImage) -> Void
        ) async throws {
            try await product.edit(in: shop) { shown, terms in
                var images = shown.details.images
                guard number >= 1, number <= images.count else {
                    throw Refusal(
                        "\(product.product) has \(images.count) pictures.", "Use a number from 1 to \(images.count).",
                        .notFound)
                }
                let picture = images.remove(at: number - 1)
                change(&images, picture)
                terms.images = images
            }
        }
    }
#endif
