import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchFeed
import PouchJSON
import PouchServer
import PouchWire
import Testing

@Suite(
    "Customers, sales and stock", .timeLimit(.minutes(5)),
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
        let ada = try await shop.customer()
        shop.clock.advance(by: 1)
        let bea = try await shop.customer("bea@example.com")
        let first = try await ada.order()
        shop.clock.advance(by: 1)
        let second = try await ada.order()
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
        try await TestShop.open(configure: { $0.shop = .sold(in: sydney) }) { shop in
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

            let month = try await admin.call(Contract.salesReport, query: "by=month&" + range).good()
            #expect(month.total == report.total)
        }
    }

    @Test func `Best sellers are what was kept, as it was at the end of the time`() async throws {
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
        let rest = try await guest.buyNow("pin", 2, total: 1490).good()
        try await admin.refund(rest.id).good()
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

    @Test func `Without a time the last 30 days are reported, with the tax less that of refunds`() async throws {
        try await TestShop.open(configure: { $0.shop = .taxed }) { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            let order = try await guest.order("cap", 2)
            try await admin.refund(order.id, lines: [.cap]).good()
            shop.clock.advance(by: 60)
            let report = try await admin.call(Contract.salesReport).good()
            #expect(report.periods.count == 31)
            #expect(report.total.tax.amount == order.totals.tax.amount - 70)
            #expect(report.total.net.amount == order.totals.total.amount - 1070)
            let weeks = try await admin.call(Contract.salesReport, query: "by=week").good()
            #expect((5...6).contains(weeks.periods.count) && weeks.total == report.total)
        }
    }

    @Test(arguments: [
        "from=2020-01-01T00:00:00Z&until=2026-01-01T00:00:00Z&by=month",
        "from=2024-01-01T00:00:00Z&until=2026-01-01T00:00:00Z&by=day",
    ])
    func `A report has a bounded time and number of periods`(query: String) async throws {
        try await admin.call(Contract.salesReport, query: query).problem(.validationFailed)
    }

    /// `until` is named only where the caller has given it.
    @Test(arguments: [
        ("from=2101-01-01T00:00:00Z", "from must be before now."),
        ("from=2001-01-01T00:00:00Z", "from must be at most 1830 days before now."),
        ("from=2001-01-01T00:00:00Z&until=2021-01-01T00:00:00Z", "from must be at most 1830 days before until."),
    ])
    func `A report of an impossible time is refused in the words of the request`(
        query: String, detail: String
    ) async throws {
        let errors = try await admin.call(Contract.salesReport, query: query).problem(.validationFailed).problem.errors
        #expect(errors?.map(\.field) == ["from"] && errors?.map(\.detail) == [detail])
    }

    @Test(arguments: ["by=hour", "by=unrecognised", "from=1", "until=2026-01-01"])
    func `An invalid query of a report is refused`(query: String) async throws {
        try await admin.call(Contract.salesReport, query: query).problem(.invalidQuery)
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
}

extension ShopSettings {
    /// A shop without taxes in a time zone.
    fileprivate static func sold(in timeZone: TimeZone) -> ShopSettings {
        let standard = ShopSettings.standard()
        return ShopSettings(
            currency: standard.currency, country: standard.country, place: standard.place, timeZone: timeZone,
            taxes: standard.taxes, shipping: standard.shipping)
    }
}
