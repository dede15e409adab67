#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct CheckoutCommand: ShopCommand {
        static let commandName = "checkout"
        static let abstract = "Order and pay for the cart."
        static let discussion = """
            On a terminal, the command shows the cart and its total, and asks before paying; in a pipe, it does \
            not ask. If the total has changed since, nothing is charged.
            """

        @Option(
            help: ArgumentHelp(
                """
                The shipping method, as `pouch cart methods` lists it. (default: the cart's, if it has one, otherwise \
                standard)
                """, valueName: "id"))
        var method: String?
        @OptionGroup(title: "Payment") var payment: PaymentOptions
        @OptionGroup(title: "Address") var delivery: DeliveryOptions

        var notFound: NotFound { delivery.notFound }

        func run(in shop: Shop) async throws {
            var cart = try await shop.client.cart.refresh()
            guard !cart.lines.isEmpty else { throw DataError(.cartEmpty) }
            try await payment.checkEmail(in: shop)
            let given = try await delivery.address(in: shop)
            if given != nil || method != nil {
                guard let address = given ?? cart.shipping?.address else {
                    throw DataError(.shippingRequired)
                }
                cart = try await shop.client.cart.setShipping(
                    methodId: method ?? cart.shipping?.methodId ?? AddressOptions.defaultMethod, to: address)
            }
            guard cart.shipping != nil else { throw DataError(.shippingRequired) }
            try await payment.confirm(CartText.details(cart), total: cart.totals.total, in: shop)
            let order = try await shop.client.checkout.pay(for: cart, with: payment.payment, email: payment.email)
            try await shop.show(order)
        }
    }

    struct BuyCommand: ShopCommand {
        static let commandName = "buy"
        static let abstract = "Order and pay for one SKU; the cart does not change."
        static let discussion = """
            On a terminal, the command shows the total and asks before paying; in a pipe, it does not ask. If the \
            total has changed since, nothing is charged.
            """

        @Argument(help: "The SKU, as `pouch product HANDLE` lists it.")
        var sku: String
        @Option(parsing: .unconditional, help: "The number of units, \(Quantity.bounds).")
        var quantity = Quantity(1)
        @Option(help: .value("code", "A discount code."))
        var discount: String?
        @Option(help: .value("id", "The shipping method, as `pouch cart methods` lists it."))
        var method = AddressOptions.defaultMethod

        @OptionGroup(title: "Payment") var payment: PaymentOptions
        @OptionGroup(title: "Address") var delivery: DeliveryOptions

        var notFound: NotFound { delivery.notFound }

        func run(in shop: Shop) async throws {
            guard let address = try await delivery.address(in: shop) else { throw DataError(.shippingRequired) }
            try await payment.checkEmail(in: shop)
            let draft = OrderDraft(
                lines: [.init(sku: sku, quantity: quantity.units)], address: address,
                methodId: method, discount: discount)
            let preview = try await shop.client.checkout.preview(draft)
            let total = preview.totals.total
            try await payment.confirm(
                [CartText.lines(preview.lines), .blank, CartText.totals(preview.totals)], total: total, in: shop)
            let order = try await shop.client.checkout.buy(
                draft, for: total, with: payment.payment, email: payment.email)
            try await shop.show(order)
        }
    }

    /// The payment of both commands.
    struct PaymentOptions: ParsableArguments {
        @Option(help: .value("token", "The card's token, for example tok_ok."))
        var card: String
        @Option(help: .value("address", "Your e-mail address; required for guests."))
        var email: String?
        @OptionGroup var confirmation: Confirmation

        var payment: PaymentMethod { .card(token: card) }

        /// On a terminal, shows the purchase and asks whether to pay.
        func confirm(_ purchase: [Output], total: Money, in shop: Shop) async throws {
            try await confirmation.ask(
                "Pay \(total.text) with \(card)?", after: purchase + [.blank], in: shop, orElse: "Nothing was ordered.")
        }

        /// Checks that a guest provides an e-mail address, before anything is shown or asked.
        func checkEmail(in shop: Shop) async throws {
            guard try await shop.client.account.sessionOrGuest().kind == .guest, email == nil else { return }
            throw DataError(.emailRequired)
        }
    }

    /// The address for the delivery: a saved one, a complete one, or none.
    struct DeliveryOptions: ParsableArguments {
        @Option(
            name: .customLong("address"),
            help: .value("id", "An address of your account, as `pouch address list` lists it."))
        var saved: String?
        @OptionGroup var new: AddressOptions

        var notFound: NotFound { saved.map(NotFound.address) ?? .product }

        func validate() throws {
            guard saved == nil || new.isEmpty else {
                throw ValidationError("Use either --address ID or the parts of an address, such as --name.")
            }
        }

        /// The address; nil without options.
        ///
        /// - Throws: a `DataError` for an unknown saved address, a `Refusal` for an unknown place.
        func address(in shop: Shop) async throws -> Address? {
            guard let saved else { return try await new.address(in: shop) }
            return try await shop.savedAddress(id: saved)
        }
    }

    /// A new address: either none of these options or a complete address.
    struct AddressOptions: ParsableArguments {
        /// The default shipping method.
        static let defaultMethod = "standard"

        @Option(help: "The recipient.") var name: String?
        @Option(help: "Street and number.") var line1: String?
        @Option(help: "Flat, floor, company ...") var line2: String?
        @Option(help: "City.") var city: String?
        @Option(help: "State or province.") var region: String?
        @Option(help: "Postal code.") var postalCode: String?
        @Option(help: .value("country", "Country, by its name or its two-letter code such as AU."))
        var country: String?
        @Option(help: "Phone number for the courier.") var phone: String?
        @Option(
            parsing: .unconditional,
            help: .value("place", "The location, for a kangaroo: a place nearby, or LATITUDE,LONGITUDE."),
            transform: Spot.init(argument:))
        var place: Spot?

        var isEmpty: Bool {
            place == nil && [name, line1, line2, city, region, postalCode, country, phone].allSatisfy { $0 == nil }
        }

        /// The address; nil without options.
        ///
        /// - Throws: a `Refusal` for an unknown place.
        func address(in shop: Shop) async throws -> Address? {
            guard let name, let line1, let country = country.flatMap(Country.code) else { return nil }
            return Address(
                name: name, line1: line1, line2: line2, city: city ?? "", region: region, postalCode: postalCode ?? "",
                country: country, phone: phone, location: try await place?.point(in: shop))
        }

        func validate() throws {
            let code = country.flatMap(Country.code)
            let required =
                [("--name", name), ("--line1", line1)]
                + (code.map(Country.needsCity) ?? true ? [("--city", city)] : [])
                + (code.map(Country.needsPostalCode) ?? true ? [("--postal-code", postalCode)] : [])
                + [("--country", country)]
            let missing = required.filter { $0.1 == nil }.map(\.0)
            guard missing.isEmpty || isEmpty else {
                throw ValidationError("An address also requires \(missing.joined(separator: ", ")).")
            }
            if let country { try Self.checkCountry(country) }
        }

        static func checkCountry(_ country: String) throws {
            guard Country.code(of: country) == nil else { return }
            throw ValidationError(
                "Unknown country “\(country)”. Use its English name or its two-letter code, such as Germany or DE.")
        }
    }
#endif
