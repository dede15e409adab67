#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    struct AdminOrdersCommand: ShopCommand {
        static let commandName = "orders"
        static let abstract = "List and search the orders of all customers, newest first."
        static let discussion = """
            For example:
              pouch admin orders --unsent
              pouch admin orders --search ada@example.com --from 2026-12-01
              pouch admin orders --sku wool-scarf --all
            """

        @OptionGroup var search: OrderSearchOptions
        @OptionGroup var page: PageOptions

        func run(in shop: Shop) async throws {
            let search = try await search.search(in: shop)
            try await page.show(in: shop, as: Self.list) { limit, cursor in
                try await shop.admin.orders(search, limit: limit, cursor: cursor)
            }
        }

        private static func list(_ orders: [Order]) -> [Output] {
            .list(
                orders, orElse: "No matching orders.",
                [
                    Field("NUMBER", .bold, \.number), Field(.piped("ID"), \.id), Field("PLACED", \.createdAt),
                    Field("STATUS", \.status), Field(.number("TOTAL"), \.totals.total),
                    Field(.number("REFUNDED")) { $0.payment.refunded.amount > 0 ? $0.payment.refunded : nil },
                    Field(.text("E-MAIL"), \.email), Field(.text("NAME")) { $0.shipping?.address.name },
                ])
        }
    }

    /// The orders that a list or an export contains.
    struct OrderSearchOptions: ParsableArguments {
        @Option(help: "Only orders with this status.")
        var status: OrderStatus?
        @Flag(help: "Only orders that still have to be sent, including partly refunded ones.")
        var unsent = false
        @Option(
            name: [.customLong("search")],
            help: .value("text", "An order number, a whole e-mail address, or whole words of the recipient's name."))
        var text: String?
        @Option(help: "Only orders that contain this SKU.")
        var sku: String?
        @OptionGroup var period: PeriodOptions

        func search(in shop: Shop) async throws -> OrderSearch {
            OrderSearch(
                status: status, isUnsent: unsent, text: text, sku: sku, from: try await shop.start(period.from),
                until: try await shop.end(period.until))
        }
    }

    extension OrderStatus: @retroactive ExpressibleByArgument, PrintedWord {}

    struct AdminFulfilCommand: ManagedOrderCommand {
        static let commandName = "fulfil"
        static let abstract = "Mark an order as shipped."
        static let discussion = """
            For example: pouch admin fulfil P-10001 --carrier DHL --tracking 00340434161094015902
            The buyer sees the carrier, the tracking number and the link.
            """

        @OptionGroup var order: ManagedOrderArgument
        @OptionGroup var tracking: TrackingOptions

        func run(in shop: Shop) async throws {
            try await shop.show(
                order.changing(in: shop) {
                    try await shop.admin.fulfil(id: order.id, tracking: tracking.tracking)
                })
        }
    }

    struct AdminDeliverCommand: ManagedOrderCommand {
        static let commandName = "deliver"
        static let abstract = "Mark an order as delivered."

        @OptionGroup var order: ManagedOrderArgument

        func run(in shop: Shop) async throws {
            try await shop.show(order.changing(in: shop) { try await shop.admin.deliver(id: order.id) })
        }
    }

    struct AdminRefundCommand: ManagedOrderCommand {
        static let commandName = "refund"
        static let abstract = "Refund an amount, some lines, or everything left of an order."
        static let discussion = """
            A refund with the same key is made at most once. If the outcome is unknown, the command prints the \
            key; pass it with --key to try again.

            On a terminal, --all asks for confirmation; in a pipe it does not.
            """

        @OptionGroup var order: ManagedOrderArgument
        @Flag(help: "Refund everything that has not been refunded yet.")
        var all = false
        @Option(parsing: .unconditional, help: "An amount in the shop's currency, for example 42.99.")
        var amount: String?
        @Option(help: .value("sku[=units]", "A SKU of the order, and the number of units if not 1; may be repeated."))
        var line: [RefundLine] = []
        @Option(help: .value("text", "The reason, for the shop's own records, up to 2,000 characters."))
        var reason: String
        @Option(help: .value("text", "The key of an earlier attempt at the same refund."))
        var key: String?
        @OptionGroup var confirmation: Confirmation

        func validate() throws {
            guard [all, amount != nil, !line.isEmpty].count(where: { $0 }) == 1 else {
                throw ValidationError("Use exactly one of --all, --amount AMOUNT and --line SKU.")
            }
        }

        func run(in shop: Shop) async throws {
            let part: RefundDraft.Part =
                if let amount {
                    .amount(try await shop.money(amount))
                } else if line.isEmpty {
                    .rest
                } else {
                    .lines(line.map(\.line))
                }
            if all {
                try await confirmation.ask(
                    "Refund everything left of \(order.id)?", in: shop, orElse: "Nothing was refunded.")
            }
            let newKey = UUID().uuidString
            do {
                let draft = RefundDraft(part, reason: reason)
                let refund = try await shop.withFreshSignIn { try await make(draft, newKey: newKey, in: shop) }
                try shop.show(refund) { [Self.line($0)] }
            } catch let error as DataError where error.mayHaveTakenEffect {
                await shop.report(error, notFound)
                throw Refusal(
                    "It is not known whether the refund was made.",
                    "Run the same command again with --key \(key ?? newKey); the refund is then made at most once.",
                    ExitStatus(error.reason))
            }
        }

        private func make(_ draft: RefundDraft, newKey: String, in shop: Shop) async throws -> Refund {
            try await order.changing(in: shop) {
                if let key { return try await shop.admin.refund(orderId: order.id, draft, key: key) }
                return try await shop.admin.refund(orderId: order.id, draft, newKey: newKey)
            }
        }

        private static func line(_ refund: Refund) -> Output {
            let status: StyledText =
                switch refund.status {
                case .pending: StyledText("is pending", .yellow)
                case .succeeded: StyledText("was refunded", .green)
                case .failed: StyledText("could not be refunded", .red)
                case .unrecognised: "was requested"
                }
            return .line(StyledText(refund.amount) + " " + status + "." + StyledText("  \(refund.id)", .dim))
        }
    }

    /// Units of a SKU, for example `wool-scarf=2`; one unit without a number.
    struct RefundLine: ExpressibleByArgument {
        let line: Refund.Line

        init?(argument: String) {
            guard let sign = argument.lastIndex(of: "="), let units = Int(argument[argument.index(after: sign)...])
            else {
                line = Refund.Line(sku: argument, quantity: 1)
                return
            }
            guard ModelLimits.quantity.contains(units) else { return nil }
            line = Refund.Line(sku: String(argument[..<sign]), quantity: units)
        }
    }
#endif
