#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminalScreens

    struct BuyCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "buy",
            abstract: "Order and pay one SKU at once; the cart is left alone.",
            discussion: """
                At a terminal the total is shown and asked about first. When it differs from the one shown, nothing is \
                charged.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "As `pouch product HANDLE` lists it.")
        var sku: String
        @Option(help: "How many, 1 to 999.")
        var quantity = Quantity(1)
        @Option(help: ArgumentHelp("A discount code.", valueName: "code"))
        var discount: String?

        @OptionGroup(title: "Payment") var payment: PaymentOptions
        @OptionGroup(title: "Address") var delivery: AddressOptions

        func run(in shop: Shop) async throws {
            guard let address = try await delivery.address(in: shop) else { throw DataError(.shippingRequired) }
            try await payment.checkEmail(in: shop)
            let draft = OrderDraft(
                lines: [.init(sku: sku, quantity: quantity.units)], address: address,
                methodId: payment.method ?? PaymentOptions.defaultMethod, discount: discount)
            let preview = try await shop.client.checkout.preview(draft)
            let total = preview.totals.total
            try await payment.confirm(
                [.table(CartText.lines(preview.lines)), .blank] + TotalsText.blocks(preview.totals), total: total,
                in: shop)
            let order = try await shop.client.checkout.buy(
                draft, for: total, with: payment.payment, email: payment.email)
            try await shop.show(order)
        }
    }
#endif
