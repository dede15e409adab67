#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum AdminCustomerCommand: CommandFamily {
        static let commandName = "customer"
        static let abstract = "List, search, show and export customers."
        static let discussion = "Guests have no account; find their orders with `pouch admin orders --search ADDRESS`."
        static let subcommands: [any NamedCommand.Type] = [List.self, Show.self, Export.self]

        struct List: ShopCommand {
            static let abstract = "List the customers, newest first."

            @Option(help: .value("text", "A whole e-mail address, or whole words of the name."))
            var search: String?
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: CustomerText.list) { limit, cursor in
                    try await shop.admin.customers(search: search, limit: limit, cursor: cursor)
                }
            }
        }

        struct Show: ShopCommand {
            static let abstract = "Show a customer with addresses and the newest orders."

            @Argument(help: "The customer's e-mail address or ID, as `pouch admin customer list` shows them.")
            var customer: String

            var notFound: NotFound {
                NotFound("customer", customer, "`pouch admin customer list` lists the customers, with their IDs.")
            }

            func run(in shop: Shop) async throws {
                var id = customer
                if customer.contains("@") {
                    let found = try await shop.admin.customers(search: customer, limit: 1)
                    guard let first = found.items.first else { throw DataError(.notFound) }
                    id = first.id
                }
                try shop.show(try await shop.admin.customer(id: id), as: CustomerText.details)
            }
        }

        struct Export: ShopCommand {
            static let abstract = "Export the customers as CSV for a spreadsheet."
            static let discussion = "For example: pouch admin customer export > customers.csv"

            @OptionGroup var target: ExportOptions

            func run(in shop: Shop) async throws {
                try await target.export(in: shop) { try await shop.admin.exportCustomers(to: $0) }
            }
        }
    }

    private enum CustomerText {
        static func list(_ customers: [Customer]) -> [Output] {
            .list(
                customers, orElse: "No matching customers.",
                [
                    Field(.text("NAME"), .bold, \.name), Field(.text("E-MAIL"), \.email),
                    Field("SINCE") { String(TimeText.minutes($0.createdAt, .current).prefix(10)) },
                    Field(.number("ORDERS"), \.orderCount), Field(.number("SPENT"), \.spent), Field("ID", .dim, \.id),
                ])
        }

        static func details(_ details: CustomerDetails) -> [Output] {
            let customer = details.customer
            let orders =
                StyledText("\(customer.orderCount)") + StyledText("  Spent: ", .dim) + StyledText(customer.spent)
            var output = [Output.line(StyledText(customer.name, .bold) + "  " + StyledText(customer.email))]
            output += .facts([
                ("ID", customer.id), ("Since", customer.createdAt), ("Mobile number", customer.mobileNumber),
                ("Orders", orders),
            ])
            output += .facts(details.addresses.map { ("Address", AddressText.line($0)) })
            return output + [.blank] + OrderText.list(details.orders)
        }
    }

    struct AdminSalesCommand: ShopCommand {
        static let commandName = "sales"
        static let abstract = "Show the sales by day, week or month, and the best sellers."
        static let discussion = """
            Without --from, the last 30 days are shown. Periods begin and end in the shop's time zone. KEPT is the \
            amount charged less the amount refunded, including shipping and tax. UNITS counts all paid orders; the \
            best sellers exclude returned units, and orders that were cancelled or refunded in full.
            """

        @OptionGroup var period: PeriodOptions
        @Option(help: "The length of a period. (default: day)")
        var by: SalesReport.Step?
        @Flag(help: "Also show periods without sales.")
        var empty = false

        func run(in shop: Shop) async throws {
            let report = try await shop.admin.sales(
                from: try await shop.start(period.from), until: try await shop.end(period.until), by: by ?? .day)
            try shop.show(report, as: text)
        }

        private func text(_ report: SalesReport) -> [Output] {
            let zone = TimeZone(identifier: report.timeZone) ?? .gmt
            let periods = report.periods.filter { empty || $0.figures.orders > 0 || $0.figures.refunds.amount > 0 }
            let rows = periods.map { period in
                row(StyledText(String(TimeText.minutes(period.startsAt, zone).prefix(10))), period.figures)
            }
            let table = Output.table(
                [
                    "FROM", .number("ORDERS"), .number("UNITS"), .number("GROSS"), .number("DISCOUNTS"),
                    .number("SHIPPING"), .number("TAX"), .number("REFUNDS"), .number("KEPT"),
                ], rows + [row(StyledText("all", .bold), report.total)])
            let currency = report.total.net.currency.code
            return [
                .line(StyledText("Amounts in \(currency), time zone \(report.timeZone).", .dim)), table, .blank,
            ] + best("Most units", report.bestByUnits) + [.blank] + best("Highest revenue", report.bestByRevenue)
        }

        private func row(_ title: StyledText, _ figures: SalesFigures) -> [StyledText] {
            [title, "\(figures.orders)", "\(figures.units)"]
                + [
                    figures.gross, figures.discounts, figures.shipping, figures.tax, figures.refunds, figures.net,
                ].map { StyledText($0.decimal) }
        }

        private func best(_ title: String, _ sellers: [BestSeller]) -> [Output] {
            guard !sellers.isEmpty else { return [.line(StyledText("\(title): no sales."))] }
            return [
                .line(StyledText(title, .dim)),
                .table(
                    of: sellers,
                    [
                        Field("SKU", .bold, \.sku), Field(.text("NAME"), \.name), Field(.number("UNITS"), \.units),
                        Field(.number("REVENUE"), \.revenue),
                    ]),
            ]
        }
    }

    extension SalesReport.Step: @retroactive ExpressibleByArgument, PrintedWord {}
#endif
