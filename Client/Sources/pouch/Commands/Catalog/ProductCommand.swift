#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct ProductCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "product", abstract: "Show a product with its variants and their SKUs.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The product's handle, as `pouch catalog` lists it.")
        var handle: String

        func run(in shop: Shop) async throws {
            let product = try await shop.client.catalog.product(handle: handle)
            try shop.show(product, as: ProductText.blocks(product))
        }
    }
#endif
