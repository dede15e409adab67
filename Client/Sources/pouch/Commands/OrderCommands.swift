#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchTerminal
    import PouchTerminalScreens

    struct OrdersCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "orders", abstract: "List your orders, newest first.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var page: PageOptions

        func run(in shop: Shop) async throws {
            try await page.show(in: shop, as: OrderText.list) { limit, cursor in
                try await shop.client.orders.orders(limit: limit, cursor: cursor)
            }
        }
    }

    struct OrderCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "order", abstract: "Show an order.",
            discussion: """
                With --follow and --json, prints the order on one line for each change.

                --link uses the server in the link; a different --server or $POUCH_SERVER is an error.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String?
        @Option(help: "Instead of an ID, the link from an e-mail, in quotes; no session is required.")
        var link: String?
        @Flag(help: "Follow the order until it is delivered or refunded.")
        var follow = false

        var notFound: NotFound { .order(id ?? "") }

        mutating func validate() throws {
            guard (id == nil) != (link == nil) else { throw ValidationError("Enter an order's ID, or use --link.") }
            guard link == nil || !follow else { throw ValidationError("--follow requires the order's ID.") }
            if let link { try global.server.adopt(link: link, page: "orders") }
        }

        func run(in shop: Shop) async throws {
            let orders = shop.client.orders
            if let link { return try await shop.show(try await orders.order(link: link)) }
            guard let id else { return }
            guard !follow else { return try await follow(id, in: shop) }
            try await shop.show(try await orders.order(id: id))
        }

        private func follow(_ id: String, in shop: Shop) async throws {
            var shown: OrderStatus?
            for try await order in shop.client.orders.watch(id) where shop.printsJSON || order.status != shown {
                shown = order.status
                try shop.show(order) { [.line(OrderText.progress($0))] }
            }
        }
    }

    struct CancelCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancel an order before it is shipped, with a full refund.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String

        var notFound: NotFound { .order(id) }

        func run(in shop: Shop) async throws {
            try await shop.show(try await shop.client.orders.cancel(id: id))
        }
    }

    struct ShipCommand: ShopCommand {
        static let configuration = CommandConfiguration(
            commandName: "ship",
            abstract: "Choose another shipping method for an order that no kangaroo picked up.",
            discussion: "If it is cheaper, the difference is refunded; if it costs more, nothing more is charged.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String
        @Option(help: ArgumentHelp("One of the methods that `pouch order P-10001` offers.", valueName: "id"))
        var method: String

        var notFound: NotFound { .order(id) }

        func run(in shop: Shop) async throws {
            try await shop.show(try await shop.client.orders.changeDelivery(of: id, methodId: method))
        }
    }

    enum OrderText {
        /// The status that the order has entered, and when, in one line.
        static func progress(_ order: Order) -> StyledText {
            StyledText(time: order.history.last?.at ?? order.createdAt, .dim) + "  " + StyledText(order.status)
        }

        static func list(_ orders: [Order]) -> [Output] {
            .list(
                orders, orElse: "There are no orders yet.",
                ["NUMBER", .piped("ID"), "PLACED", "STATUS", .number("TOTAL")]
            ) { order in
                let failure = order.deliveryFailure == nil ? "" : StyledText(", not delivered", .red)
                return [
                    StyledText(order.number, .bold), StyledText(order.id), StyledText(time: order.createdAt),
                    StyledText(order.status) + failure, StyledText(order.totals.total),
                ]
            }
        }

        static func details(_ order: Order) -> [Output] {
            var output: [Output] = [
                .line(
                    StyledText(order.number, .bold) + "  " + StyledText(order.status) + "  "
                        + StyledText(time: order.createdAt)),
                .line(StyledText("ID: ", .dim) + StyledText(order.id)),
            ]
            if let email = order.email { output.append(.line(StyledText("E-mail: ", .dim) + StyledText(email))) }
            output += [.blank, lines(order.lines), .blank, CartText.totals(order.totals)]
            if let shipping = order.shipping { output.append(.line(StyledText(AddressText.line(shipping)))) }
            if let tracking = order.tracking {
                let link = tracking.url.map { "  " + $0 } ?? ""
                output.append(
                    .line(
                        StyledText("Tracking: ", .dim) + StyledText("\(tracking.carrier) \(tracking.number)\(link)")))
            }
            if order.payment.refunded.amount > 0 {
                output.append(.line(StyledText("Refunded: ", .dim) + StyledText(order.payment.refunded)))
            }
            output +=
                [.blank] + order.history.map { .line(StyledText(time: $0.at, .dim) + "  " + StyledText($0.status)) }
            if order.status == .pending {
                let text = "The payment is pending. `pouch order \(order.number)` shows the result."
                output.append(.line(StyledText(text, .yellow)))
            }
            if let failure = order.deliveryFailure { output += details(failure, of: order) }
            return output
        }

        private static func details(_ failure: DeliveryFailure, of order: Order) -> [Output] {
            [
                .blank,
                .line(
                    StyledText(DeliveryText.sentence(failure.reason), .red)
                        + StyledText(" Choose another method: pouch ship \(order.number) --method METHOD")),
                .table(
                    ["METHOD", "NAME", .number("PRICE"), "ESTIMATE"],
                    failure.methods.map { method in
                        [
                            StyledText(method.id, .bold), StyledText(method.name), StyledText(method.price),
                            StyledText(method.estimate),
                        ]
                    }),
            ]
        }

        private static func lines(_ lines: [OrderLine]) -> Output {
            .table(
                ["SKU", .text("NAME"), .text("OPTIONS"), .number("QTY"), .number("EACH"), .number("SUM")],
                lines.map { line in
                    [
                        StyledText(line.sku), StyledText(line.name), StyledText(OptionsText.values(line.options)),
                        "\(line.quantity)", StyledText(line.unitPrice), StyledText(line.lineTotal),
                    ]
                })
        }
    }

    extension StyledText {
        /// A time to the minute, in the user's time zone.
        init(time: Date, _ style: Style = .plain) {
            self.init(TimeText.minutes(time, .current), style)
        }
    }
#endif
