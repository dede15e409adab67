#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum CartCommand: CommandFamily {
        static let commandName = "cart"
        static let abstract = "Show the cart, or change it."
        static let discussion =
            "Without an account, you shop as a guest; you keep the cart when you sign in or sign up."
        static let subcommands: [any NamedCommand.Type] = [
            Show.self, Add.self, Set.self, Remove.self, Clear.self, Discount.self, Methods.self,
        ]

        struct Show: ShopCommand {
            static let abstract = "Show the cart."

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.cart.refresh(), as: CartText.details)
            }
        }

        struct Add: ShopCommand {
            static let abstract = "Add units of a SKU to the cart."

            @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
            var sku: String
            @Option(parsing: .unconditional, help: "The number of units to add, \(Quantity.bounds).")
            var quantity = Quantity(1)

            func run(in shop: Shop) async throws {
                let cart = try await shop.client.cart.add(sku: sku, quantity: quantity.units)
                try shop.show(cart, as: CartText.details)
            }
        }

        struct Set: ShopCommand {
            static let abstract = "Set the quantity of a SKU in the cart."

            @Argument(help: "The SKU, as `pouch cart` lists it.")
            var sku: String
            @Argument(help: "The number of units, 0 to \(ModelLimits.quantity.upperBound); 0 removes the line.")
            var quantity: Int

            func validate() throws {
                let most = ModelLimits.quantity.upperBound
                guard (0...most).contains(quantity) else {
                    throw ValidationError("The quantity must be from 0 to \(most).")
                }
            }

            func run(in shop: Shop) async throws {
                if quantity == 0 { try await CartCommand.checkLine(sku, in: shop) }
                try shop.show(try await shop.client.cart.set(sku: sku, quantity: quantity), as: CartText.details)
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove a SKU from the cart."

            @Argument(help: "The SKU, as `pouch cart` lists it.")
            var sku: String

            func run(in shop: Shop) async throws {
                try await CartCommand.checkLine(sku, in: shop)
                try shop.show(try await shop.client.cart.remove(sku: sku), as: CartText.details)
            }
        }

        struct Clear: ShopCommand {
            static let abstract = "Empty the cart."

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.cart.clear(), as: CartText.details)
            }
        }

        struct Discount: ShopCommand {
            static let abstract = "Apply a discount code to the cart, or remove it."
            static let discussion = "A cart has one code; a new one replaces it."

            @Argument(help: "The code; case does not matter.")
            var code: String?
            @Flag(help: "Remove the code.")
            var remove = false

            func validate() throws {
                guard (code != nil) != remove else { throw ValidationError("Use either a code or --remove.") }
            }

            func run(in shop: Shop) async throws {
                let cart =
                    if let code {
                        try await shop.client.cart.setDiscount(code: code)
                    } else {
                        try await shop.client.cart.removeDiscount()
                    }
                try shop.show(cart, as: CartText.details)
            }
        }

        struct Methods: ShopCommand {
            static let abstract = "List the shipping methods for the cart, with their prices."
            static let discussion = """
                Pass the ID to `pouch checkout` or `pouch buy` with --method. The prices depend on the cart. A \
                kangaroo is listed if it can reach the --place.
                """

            @Option(
                help: .value(
                    "country", "The destination, by its name or its two-letter code. (default: the shop's country)"))
            var country: String?
            @Option(help: "The postal code of the destination.")
            var postalCode: String?
            @Option(
                parsing: .unconditional,
                help: .value("place", "The location of the destination: a place nearby, or LATITUDE,LONGITUDE."),
                transform: Spot.init(argument:))
            var place: Spot?

            func validate() throws {
                if let country { try AddressOptions.checkCountry(country) }
            }

            func run(in shop: Shop) async throws {
                let methods = try await shop.client.checkout.shippingMethods(
                    country: country.flatMap(Country.code), postalCode: postalCode,
                    location: try await place?.point(in: shop))
                try shop.show(methods) { methods in
                    .list(
                        methods, orElse: "The shop does not deliver there.",
                        [
                            Field("ID", .bold, \.id), Field("NAME", \.name), Field(.number("PRICE"), \.price),
                            Field("DELIVERY", \.estimate),
                        ])
                }
            }
        }

        /// Checks that there is a line to remove. The shop accepts any SKU to remove, and does not report a mistyped
        /// one.
        private static func checkLine(_ sku: String, in shop: Shop) async throws {
            guard try await !shop.client.cart.refresh().lines.contains(where: { $0.sku == sku }) else { return }
            throw Refusal("The cart has no line \(sku).", "`pouch cart` lists its lines, with their SKUs.", .notFound)
        }
    }

    enum CartText {
        static func details(_ cart: Cart) -> [Output] {
            let changes = cart.changes.map { Output.line(StyledText(ChangeText.sentence($0, name: $0.sku), .yellow)) }
            guard !cart.lines.isEmpty else { return changes + [.line("The cart is empty.")] }
            return changes + [
                lines(cart.lines), .blank,
                totals(cart.totals, discount: cart.discount, isShippingOpen: cart.shipping == nil),
            ] + (cart.shipping.map({ [.line(StyledText(AddressText.line($0)))] }) ?? [])
        }

        static func lines(_ lines: [CartLine]) -> Output {
            .table(
                of: lines,
                [
                    Field("SKU", \.sku), Field("NAME", \.name), Field("OPTIONS") { OptionsText.values($0.options) },
                    Field(.number("QTY"), \.quantity), Field(.number("EACH"), \.unitPrice),
                    Field(.number("SUM"), \.lineTotal),
                    Field("") { $0.available < $0.quantity ? StyledText(stock: $0.available) : "" },
                ])
        }

        /// The amounts below a cart or an order; see `TotalsText.rows`.
        static func totals(_ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false) -> Output {
            let rows = TotalsText.rows(totals, discount: discount, isShippingOpen: isShippingOpen)
            return .table(["", .number("")], rows.map { [$0.name, $0.sum] })
        }
    }
#endif
