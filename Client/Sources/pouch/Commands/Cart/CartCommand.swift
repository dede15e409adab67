#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct CartCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cart",
            abstract: "Show the cart, or change it.",
            discussion: "Without an account the cart is a guest's; signing in or up takes it along.",
            subcommands: [Show.self, Add.self, Set.self, Remove.self, Clear.self, Discount.self],
            defaultSubcommand: Show.self
        )

        @OptionGroup var global: GlobalOptions

        struct Show: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show the cart.")

            @OptionGroup var global: GlobalOptions

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.refresh()
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }

        struct Add: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Put units of a SKU into the cart.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch product HANDLE` lists it.")
            var sku: String
            @Option(help: "How many to add, 1 to 999.")
            var quantity = Quantity(1)

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.add(sku: sku, quantity: quantity.units)
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }

        struct Set: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Set how many units of a SKU are in the cart.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch cart` lists it.")
            var sku: String
            @Argument(help: "How many, 0 to 999; 0 removes the line.")
            var quantity: Int

            func validate() throws {
                guard (0...999).contains(quantity) else { throw ValidationError("The quantity goes from 0 to 999.") }
            }

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.set(sku: sku, quantity: quantity)
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }

        struct Remove: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Take a SKU out of the cart.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As `pouch cart` lists it.")
            var sku: String

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.remove(sku: sku)
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }

        struct Clear: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Empty the cart.")

            @OptionGroup var global: GlobalOptions

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.clear()
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }

        struct Discount: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Put a discount code on the cart, or take it off.",
                discussion: "A cart has one code; another takes its place.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "As the shop gave it; capitals do not matter.")
            var code: String?
            @Flag(help: "Take the code off.")
            var remove = false

            func validate() throws {
                guard (code != nil) != remove else { throw ValidationError("Say a code, or --remove.") }
            }

            func run(in shop: Shop) async throws {
                let cart =
                    if let code {
                        try await shop.client.cart.setDiscount(code: code)
                    } else {
                        try await shop.client.cart.removeDiscount()
                    }
                try shop.show(cart, as: CartText.blocks(cart))
            }
        }
    }
#endif
