#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchTerminal
    import PouchTerminalScreens

    struct OrdersCommand: ShopCommand {
        static let commandName = "orders"
        static let abstract = "List your orders, newest first."

        @OptionGroup var page: PageOptions

        func run(in shop: Shop) async throws {
            try await page.show(in: shop, as: OrderText.list) { limit, cursor in
                try await shop.client.orders.orders(limit: limit, cursor: cursor)
            }
        }
    }

    struct OrderCommand: ShopCommand {
        static let commandName = "order"
        static let abstract = "Show an order."
        static let discussion = """
            With --follow and --json, prints the order on one line for each change.

            --link uses the server in the link; a different --server or $POUCH_SERVER is an error.
            """

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String?
        @Option(help: "Instead of an ID, the link from an e-mail, in quotes; no session is required.")
        var link: String?
        @Flag(help: "Follow the order until it is delivered or refunded.")
        var follow = false

        var notFound: NotFound { .order(id ?? "") }

        func validate(with server: inout ServerOption, _ global: GlobalOptions) throws {
            guard (id == nil) != (link == nil) else { throw ValidationError("Enter an order's ID, or use --link.") }
            guard link == nil || !follow else { throw ValidationError("--follow requires the order's ID.") }
            if let link { try server.adopt(link: link, page: "orders") }
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
        static let commandName = "cancel"
        static let abstract = "Cancel an order before it is shipped, with a full refund."

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String

        var notFound: NotFound { .order(id) }

        func run(in shop: Shop) async throws {
            try await shop.show(try await shop.client.orders.cancel(id: id))
        }
    }

    struct ShipCommand: ShopCommand {
        static let commandName = "ship"
        static let abstract = "Choose another shipping method for an order that no kangaroo picked up."
        static let discussion =
            "If it is cheaper, the difference is refunded; if it costs more, nothing more is charged."

        @Argument(help: "The order's number or ID, as `pouch orders` lists them.")
        var id: String
        @Option(help: .value("id", "One of the methods that `pouch order P-10001` offers."))
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
                [
                    Field("NUMBER", .bold, \.number), Field(.piped("ID"), \.id), Field("PLACED", \.createdAt),
                    Field("STATUS") { order in
                        let failure = order.deliveryFailure == nil ? "" : StyledText(", not delivered", .red)
                        return StyledText(order.status) + failure
                    }, Field(.number("TOTAL"), \.totals.total),
                ])
        }

        static func details(_ order: Order) -> [Output] {
            var output: [Output] = [
                .line(
                    StyledText(order.number, .bold) + "  " + StyledText(order.status) + "  "
                        + StyledText(time: order.createdAt))
            ]
            output += .facts([("ID", order.id), ("E-mail", order.email)])
            output += [.blank, lines(order.lines), .blank, CartText.totals(order.totals)]
            if let shipping = order.shipping { output.append(.line(StyledText(AddressText.line(shipping)))) }
            let refunded = order.payment.refunded
            output += .facts([
                ("Tracking", order.tracking.map { "\($0.carrier) \($0.number)" + ($0.url.map { "  " + $0 } ?? "") }),
                ("Refunded", refunded.amount > 0 ? refunded : nil),
            ])
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
                    of: failure.methods,
                    [
                        Field("METHOD", .bold, \.id), Field("NAME", \.name), Field(.number("PRICE"), \.price),
                        Field("ESTIMATE", \.estimate),
                    ]),
            ]
        }

        private static func lines(_ lines: [OrderLine]) -> Output {
            .table(
                of: lines,
                [
                    Field("SKU", \.sku), Field(.text("NAME"), \.name),
                    Field(.text("OPTIONS")) { OptionsText.values($0.options) }, Field(.number("QTY"), \.quantity),
                    Field(.number("EACH"), \.unitPrice), Field(.number("SUM"), \.lineTotal),
                ])
        }
    }

    extension StyledText {
        /// A time to the minute, in the user's time zone.
        init(time: Date, _ style: Style = .plain) {
            self.init(TimeText.minutes(time, .current), style)
        }
    }
#endif
