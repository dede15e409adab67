#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct CheckoutCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "checkout",
            abstract: "Order and pay what is in the cart.",
            discussion: """
                At a terminal the cart and its total are shown and asked about first. When the total differs from \
                the one shown, nothing is charged.
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup(title: "Payment") var payment: PaymentOptions
        @OptionGroup(title: "Address") var delivery: AddressOptions

        func run(in shop: Shop) async throws {
            var cart = try await shop.client.cart.refresh()
            guard !cart.lines.isEmpty else { throw DataError(.cartEmpty) }
            try await payment.checkEmail(in: shop)
            let given = try await delivery.address(in: shop)
            if given != nil || payment.method != nil {
                guard let address = given ?? cart.shipping?.address else {
                    throw DataError(.shippingRequired)
                }
                cart = try await shop.client.cart.setShipping(
                    methodId: payment.method ?? cart.shipping?.methodId ?? PaymentOptions.defaultMethod, to: address)
            }
            guard cart.shipping != nil else { throw DataError(.shippingRequired) }
            try await payment.confirm(CartText.blocks(cart), total: cart.totals.total, in: shop)
            let order = try await shop.client.checkout.pay(for: cart, with: payment.payment, email: payment.email)
            try await shop.show(order)
        }
    }
#endif
