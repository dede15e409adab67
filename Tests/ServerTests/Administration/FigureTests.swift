import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchHTTP
@testable import PouchStorage

@Suite(
    "Customers, sales, stock and exports", .timeLimit(.minutes(5)),
    .inShop(configure: { $0.settlementInterval = .seconds(600) }))
struct FigureTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    private func report(_ query: String = "") async throws -> SalesReport {
        try await admin.call(Contract.salesReport, query: query).good()
    }

    @Test func `Customers are listed with the sums of their orders, the latest first`() async throws {
        let (ada, bea) = (try await shop.customer(), try await shop.customer("bea@example.com"))
        let (first, second) = (try await ada.order(), try await ada.order())
        try await ada.cancel(second.id).good()
        try await admin.refund(first.id, amount: 90).good()
        _ = try await guest.order()
        let listed = try await admin.call(Contract.customers).good().items
        #expect(listed.map(\.email) == ["bea@example.com", "ada@example.com"])
        #expect(listed.map(\.orderCount) == [0, 2] && listed.map(\.spent.amount) == [0, 1400])

        let address = try await ada.addAddress().good()
        let id = try #require(listed.last?.id)
        let details = try await admin.call(Contract.customer, path: ["id": id]).good()
        #expect(details.customer == listed.last && details.addresses == [address])
        #expect(details.orders.map(\.id) == [second.id, first.id])
        let other = try await admin.call(Contract.customer, path: ["id": bea.accountId]).good()
        #expect(other.orders == [] && other.addresses == [])
        try await admin.call(Contract.customer, path: ["id": admin.accountId]).problem(.notFound)
    }

    /// Days in Sydney, which are ahead of UTC: the shop's days have to be counted, not those of the machine.
    @Test func `Sales are summed to the cent by the days of the shop's time zone`() async throws {
        let sydney = try #require(TimeZone(identifier: "Australia/Sydney"))
        let settings = ShopSettings(currency: .eur, country: "DE", timeZone: sydney, shipping: [.flat("standard", 490)])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = sydney
            let today = calendar.startOfDay(for: shop.clock.now)
            let tomorrow = try #require(calendar.date(byAdding: .day, value: 1, to: today))
            // Five minutes before midnight in Sydney.
            shop.clock.advance(by: tomorrow.timeIntervalSince(shop.clock.now) - 300)
            let start = shop.clock.now
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await admin.addDiscount(.ten).good()
            let scarf = LineRequest(sku: "scarf-s", quantity: 1)
            let lines = [LineRequest(sku: "cap", quantity: 3), scarf]
            let first = try await guest.buyNow(lines, discount: "TEN", total: 5500 - 550 + 490).good()
            shop.clock.advance(by: 500)
            let second = try await guest.buyNow().good()
            try await admin.refund(first.id, lines: [scarf]).good()
            try await guest.cancel(second.id).good()
            _ = try await guest.buyNow(card: "tok_declined")
            shop.clock.advance(by: 60)

            let range = "from=\(WireTime.text(start))&until=\(WireTime.text(shop.clock.now))"
            let report = try await admin.call(Contract.salesReport, query: range).good()
            #expect(report.timeZone == "Australia/Sydney" && report.by == .day)
            #expect(report.periods.map(\.startsAt) == [start, tomorrow])
            #expect(report.periods.map(\.endsAt) == [tomorrow, shop.clock.now])
            let (before, after) = (report.periods[0].figures, report.periods[1].figures)
            #expect(before.orders == 1 && before.units == 4)
            #expect(before.gross == Money(5500, .eur) && before.discounts == Money(550, .eur))
            #expect(before.charged == Money(5440, .eur) && before.refunds == Money(0, .eur))
            #expect(before.shipping == Money(490, .eur) && before.net == before.charged)
            #expect(after.orders == 1 && after.units == 1 && after.charged == Money(1490, .eur))
            #expect(after.refunds == Money(2250 + 1490, .eur) && after.net == Money(-2250, .eur))
            #expect(report.total.orders == 2 && report.total.net == Money(5440 - 2250, .eur))
            // The scarf was returned, and the second order was cancelled.
            #expect(report.bestByUnits == [BestSeller(sku: "cap", name: "Cap", units: 3, revenue: Money(2700, .eur))])
            #expect(report.bestByRevenue == report.bestByUnits)

            #expect(try await admin.call(Contract.salesReport, query: "by=month&" + range).good().total == report.total)
        }
    }

    @Test func `Best sellers exclude refunded units and use the names at the end of the period`() async throws {
        try await shop.stock([
            .stocked("cap", stock: 99, line: 1), .stocked("mug", price: 333, stock: 99, line: 2),
            .stocked("pin", price: 500, stock: 99, line: 3),
        ])
        shop.clock.advance(by: 1)
        try await admin.addDiscount(.ten).good()
        let lines = [LineRequest(sku: "cap", quantity: 3), LineRequest(sku: "mug", quantity: 3)]
        let order = try await guest.buyNow(lines, discount: "TEN", total: 3999 - 400 + 490).good()
        try await admin.refund(order.id, lines: [.cap, LineRequest(sku: "mug", quantity: 1)]).good()
        // An amount returns no units, unless nothing is left of the charge.
        try await admin.refund(order.id, amount: 100).good()
        let whole = try await guest.buyNow("pin", 5, total: 2990).good()
        for amount: Int64 in [1000, 1990] { try await admin.refund(whole.id, amount: amount).good() }
        try await admin.refund(guest.buyNow("pin", 2, total: 1490).good().id).good()
        let cancelled = try await guest.buyNow("cap", 4, total: 4490).good()
        try await admin.refund(cancelled.id, lines: [.cap]).good()
        try await guest.cancel(cancelled.id).good()
        shop.clock.advance(by: 60)
        let end = shop.clock.now

        let first = try await report()
        let cap = BestSeller(sku: "cap", name: "Cap", units: 2, revenue: Money(1800, .eur))
        // Of 8.99 for three mugs, 3.00 were refunded for the first.
        let mug = BestSeller(sku: "mug", name: "Mug", units: 2, revenue: Money(599, .eur))
        #expect(first.bestByUnits == [cap, mug] && first.bestByRevenue == [cap, mug] && first.total.units == 17)

        shop.clock.advance(by: 60)
        try await admin.refund(order.id, lines: [LineRequest(sku: "cap", quantity: 2)]).good()
        shop.clock.advance(by: 60)
        #expect(try await report().bestByUnits == [mug])
        #expect(try await report("until=\(WireTime.text(end))").bestByUnits == [cap, mug])
    }

    @Test(.inShop(configure: { $0.shop = .taxed }))
    func `Without a time the last 30 days are reported, with the tax less that of refunds`() async throws {
        let order = try await guest.order("cap", 2)
        try await admin.refund(order.id, lines: [.cap]).good()
        shop.clock.advance(by: 60)
        let report = try await report()
        #expect(report.periods.count == 31)
        #expect(report.total.tax.amount == order.totals.tax.amount - 70)
        #expect(report.total.net.amount == order.totals.total.amount - 1070)
        let weeks = try await self.report("by=week")
        #expect((5...6).contains(weeks.periods.count) && weeks.total == report.total)
    }

    /// `until` is named only where the caller has given it.
    @Test(arguments: [
        ("from=2101-01-01T00:00:00Z", "from must be before now."),
        ("from=2001-01-01T00:00:00Z", "from must be at most 1830 days before now."),
        ("from=2001-01-01T00:00:00Z&until=2021-01-01T00:00:00Z", "from must be at most 1830 days before until."),
    ])
    func `An impossible time of a report is refused in the query's words`(query: String, detail: String) async throws {
        let errors = try await admin.call(Contract.salesReport, query: query).problem(.validationFailed).problem.errors
        #expect(errors?.map(\.field) == ["from"] && errors?.map(\.detail) == [detail])
    }

    @Test(arguments: [
        ("from=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z&by=month", ProblemCode.validationFailed),
        ("from=2024-01-01T00:00:00Z&until=2026-01-01T00:00:00Z&by=day", .validationFailed), ("by=hour", .invalidQuery),
        ("by=unrecognised", .invalidQuery), ("from=1", .invalidQuery), ("until=2026-01-01", .invalidQuery),
    ])
    func `A report has bounded time and periods, and a valid query`(query: String, code: ProblemCode) async throws {
        try await admin.call(Contract.salesReport, query: query).problem(code)
    }

    @Test func `Stock is listed by SKU with what pending orders hold, low stock alone if wanted`() async throws {
        #expect(try await guest.buyNow(card: "tok_lost").good().status == .pending)
        let pages = try await admin.pages(Contract.stockLevels, limit: 3)
        #expect(pages.map { $0.map(\.sku) } == [["cap", "gloves", "scarf-m"], ["scarf-s"]])
        let cap = try #require(pages[0].first)
        #expect(cap.onHand == 10 && cap.held == 1 && cap.available == 9 && cap.productHandle == "cap")
        #expect(pages[0][2].options == ["Size": "M"])
        for (query, skus) in [
            ("low=true", ["gloves", "scarf-m"]), ("threshold=0", ["gloves"]),
            ("threshold=9", ["cap", "gloves", "scarf-m", "scarf-s"]),
        ] {
            let found = try await admin.call(Contract.stockLevels, query: query).good().items
            #expect(found.map(\.sku) == skus, "\(query)")
        }
    }

    // MARK: Sums beyond 64 bits

    @Test func `Figures, customers, exports and pages show the maximum amounts without an error`() async throws {
        let customer = try await shop.customer()
        for _ in 0..<2 { _ = try await customer.order() }
        let most = Money(9_000_000_000_000_000_000, .eur)
        let totals = Totals(items: most, discount: .zero(.eur), shipping: .zero(.eur), tax: most, total: most)
        _ = try await shop.rows(
            "UPDATE orders SET payment_amount = ?, totals = ?",
            [.integer(most.amount), .text(String(decoding: try totals.json(), as: UTF8.self))])
        // The figures are those up to now.
        shop.clock.advance(by: 1)
        let listed = try await admin.call(Contract.customers).good().items
        #expect(listed.map(\.spent.amount) == [9_223_372_036_000_000_000])
        let report = try await admin.call(Contract.salesReport).good()
        #expect(report.total.gross.amount >= 9_223_372_036_000_000_000 && report.total.orders == 2)
        let export = try await admin.send("GET", "/v1/admin/exports/customers")
        #expect(export.status == 200 && export.text.contains("ada@example.com"))
        let visitor = try await shop.member(.owner)
        for path in ["/admin", "/admin/customers"] { #expect(try await visitor.get(path).status == 200, "\(path)") }
    }

    @Test(
        arguments: [
            ("(9223372035999999999), (1)", 9_223_372_036_000_000_000), ("(-5), (2000000001)", 1_999_999_996),
            ("(9000000000000000000), (9000000000000000000), (-1)", 9_223_372_036_000_000_000),
            ("(-9000000000000000000), (-9000000000000000000)", -9_223_372_036_000_000_000),
            ("(4000000000000000000), (-1)", 3_999_999_999_999_999_999),
        ] as [(String, Int64)])
    func `Sums that fit are exact, and larger ones are capped`(values: String, sum: Int64) async throws {
        let sql = """
            WITH list (x) AS (VALUES \(values))
            SELECT CAST(\(SQLSum.saturating("CAST(x AS BIGINT)")) AS BIGINT) FROM list
            """
        let row = try #require(try await shop.rows(sql).first)
        #expect(try row.integer(0) == sum)
    }

    // MARK: Exports

    /// The cells of a CSV document, by the grammar of RFC 4180.
    private func rows(_ text: String) -> [[String]] {
        var (rows, row, cell) = ([[String]](), [String](), "")
        var isQuoted = false
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"": cell.unicodeScalars.append(rest.removeFirst())
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: (row, cell) = (row + [cell], "")
            case "\r" where !isQuoted && rest.first == "\n":
                rest.removeFirst()
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(scalar)
            }
        }
        return cell.isEmpty && row.isEmpty ? rows : rows + [["not ended"]]
    }

    private func export(_ path: String) async throws -> [[String]] {
        let answer = try await admin.send("GET", "/v1/admin/exports/" + path)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.header("Content-Type") == "text/csv; charset=utf-8; header=present")
        #expect(answer.body.starts(with: [0xEF, 0xBB, 0xBF]))
        let rows = rows(String(decoding: answer.body.dropFirst(3), as: UTF8.self))
        #expect(Set(rows.map(\.count)).count == 1, "\(rows)")
        return rows
    }

    @Test func `Orders are exported with a row for each line, and sums of an order once`() async throws {
        let name = "=HYPERLINK(\"http://example.com\"), Ada\nLovelace"
        for (sku, units) in [("cap", 2), ("scarf-s", 1)] { try await guest.add(sku, units).good() }
        try await guest.ship(to: .inBerlin(name)).good()
        let order = try await guest.checkout().good()
        let rows = try await export("orders")
        try #require(rows.count == 3)
        let columns = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[0].indices))
        func cell(_ row: Int, _ title: String) -> String? { columns[title].map { rows[row][$0] } }
        #expect([1, 2].map { cell($0, "Order") } == [order.number, order.number])
        #expect(cell(1, "Name") == "'" + name)
        #expect([1, 2].map { cell($0, "SKU") } == ["cap", "scarf-s"])
        #expect([1, 2].map { cell($0, "Line total") } == ["20.00", "25.00"])
        #expect([1, 2].map { cell($0, "Total") } == ["49.90", ""])
        #expect(cell(2, "Options") == "Size: S")
    }

    @Test(.inShop(setup: .live)) func `An export has the orders of the filter, over more than one page`() async throws {
        let first = try await guest.buyNow().good()
        // Copies of the order: a page has 200.
        let rest = """
            owner_id, version, status, totals, shipping, email, from_cart, payment_status, payment_amount, refunded,
            currency, ledger_id, created_at, lines, history, hold_expires_at, hold_released, grams
            """
        let copy = """
            INSERT INTO orders (id, number, payment_id, \(rest))
            SELECT ? || SUBSTR(id, 15), ? || number, ? || payment_id, \(rest) FROM orders WHERE number = ?
            """
        try await shop.database { connection in
            for number in 0..<450 {
                let (id, prefix) = ("ord_" + String(1_000_000_000 + number), SQLValue.text("C\(number)-"))
                _ = try connection.run(copy, [.text(id), prefix, prefix, .text(first.number)])
            }
        }
        let rows = try await export("orders")
        #expect(rows.count == 452 && Set(rows.map(\.first)).count == 452)
        #expect(try await export("orders?q=\(first.number)").count == 2)
        #expect(try await export("orders?status=cancelled").count == 1)
        try await admin.send("GET", "/v1/admin/exports/orders?status=lost").problem(.invalidQuery)
    }

    @Test func `Customers and stock are exported`() async throws {
        _ = try await shop.customer().order()
        let customers = try await export("customers")
        #expect(customers.count == 2)
        #expect(customers[1].prefix(3) == ["Ada", "ada@example.com", "'+49 30 1234567"])
        #expect(customers[1].suffix(3) == ["1", "14.90", "EUR"])
        let stock = try await export("stock")
        #expect(stock.dropFirst().map(\.first) == ["cap", "gloves", "scarf-m", "scarf-s"])
        #expect(stock[1].suffix(3) == ["9", "0", "9"])
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("  =1", "'  =1"),
        ("\t1", "'\t1"), ("\r1", "\"'\r1\""), ("＝1", "'＝1"), ("=\"a\"", "\"'=\"\"a\"\"\""),
        ("x;=cmd|'/C calc'!A0;y", "x;'=cmd|'/C calc'!A0;y"), ("a\t+1", "a\t'+1"), ("a| @b", "a|' @b"),
        ("a\n-1", "\"a\n'-1\""), ("a;b|c", "a;b|c"), ("1-2=3", "1-2=3"),
    ])
    func `A text is quoted where it must be, is never a formula, and is read back`(text: String, cell: String) {
        #expect(CSVCell.line([.text(text)]) == cell + "\r\n")
        let quoted = cell.hasPrefix("\"") ? String(cell.dropFirst().dropLast()).replacing("\"\"", with: "\"") : cell
        #expect(SpreadsheetCell.text(quoted) == text)
    }
}
