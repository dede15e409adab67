import ServerTesting
import Testing

@testable import PouchStorage

@Suite(
    "Searching orders and customers", .timeLimit(.minutes(5)),
    .inShop([.stocked("cap", stock: 100), .stocked("hat", stock: 100), .sized("scarf", stock: [("S", 5)])]))
struct OrderSearchTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    private func find(_ query: String) async throws -> [String] {
        try await admin.call(Contract.allOrders, query: query).good().items.map(\.id)
    }

    private func customers(_ query: String, for admin: Caller) async throws -> Int {
        try await admin.call(Contract.customers, query: query).good().items.count
    }

    private func buy(_ sku: String, total: Int64, name: String, email: String) async throws -> Order {
        let line = LineRequest(sku: sku, quantity: 1)
        return try await guest.buyNow([line], to: .inBerlin(name), total: total, email: email).good()
    }

    @Test func `Orders are found by number, e-mail, name, SKU, status and time, and by all at once`() async throws {
        let first = try await buy("cap", total: 1490, name: "José Álvarez", email: "jose@example.com")
        shop.clock.advance(by: 400)
        let second = try await buy("scarf-s", total: 2990, name: "Maria Alvarez", email: "maria@example.com")
        shop.clock.advance(by: 400)
        let third = try await buy("cap", total: 1490, name: "Li", email: "Jose@Example.com")
        try await admin.fulfil(third.id).good()
        let (from, until) = (WireTime.text(second.createdAt), WireTime.text(third.createdAt))
        let searches: [(query: String, found: [Order])] = [
            ("q=\(first.number)", [first]), ("q=%23\(first.number.lowercased())", [first]),
            ("q=\(first.number.dropFirst(2))", [first]), ("q=P-99999", []), ("q=99999", []),
            ("q=JOSE%40example.com", [third, first]), ("q=alvarez", [second, first]), ("q=alvarez%20JOSE", [first]),
            ("q=alvar", []), ("q=%25", []), ("sku=cap", [third, first]), ("sku=cap&status=paid", [first]),
            ("sku=cap&q=jose%40example.com&status=fulfilled", [third]), ("from=\(from)", [third, second]),
            ("until=\(until)", [second, first]), ("from=\(from)&until=\(until)&q=alvarez", [second]),
        ]
        for (query, found) in searches { #expect(try await find(query) == found.map(\.id), "\(query)") }
    }

    @Test func `An order has to be sent once it is paid, also after a partial refund`() async throws {
        var placed: [String: String] = [:]
        for name in ["paid", "line", "amount", "units", "sent", "refundedAfter", "cancelled", "refunded"] {
            shop.clock.advance(by: 1)
            placed[name] = try await guest.buyNow("cap", 2, total: 2490).good().id
        }
        let ids = placed
        func id(_ name: String) throws -> String { try #require(ids[name]) }
        try await admin.refund(id("line"), lines: [.cap]).good()
        try await admin.refund(id("amount"), amount: 100).good()
        // The shipping is not refunded, but nothing is left to send.
        try await admin.refund(id("units"), lines: [LineRequest(sku: "cap", quantity: 2)]).good()
        try await admin.fulfil(id("sent")).good()
        try await admin.fulfil(id("refundedAfter")).good()
        try await admin.refund(id("refundedAfter"), lines: [.cap]).good()
        try await guest.cancel(id("cancelled")).good()
        try await admin.refund(id("refunded")).good()
        #expect(try await find("status=partiallyRefunded").count == 4)
        let all = try await admin.call(Contract.allOrders).good().items
        #expect(try all.filter(\.isUnsent).map(\.id) == [id("amount"), id("line"), id("paid")])
        let first = try id("paid")
        let (count, oldest, placedAt) = try await shop.store.read { repositories in
            let unsent = try repositories.orders.unsent(limit: 2)
            return (unsent.count, unsent.oldest, try repositories.orders.order(of: first).order.createdAt)
        }
        #expect(count == 2 && oldest == placedAt)

        #expect(try await find("unsent=true") == [id("amount"), id("line"), id("paid")])
        #expect(try await find("unsent=true&status=partiallyRefunded") == [id("amount"), id("line")])
        #expect(try await find("unsent=true&sku=hat") == [])
        let pages = try await admin.pages(Contract.allOrders, limit: 2, query: "unsent=true")
        #expect(try pages.map { $0.map(\.id) } == [[id("amount"), id("line")], [id("paid")]])
        #expect(try await find("unsent=false").count == ids.count)
        try await admin.fulfil(id("line")).good()
        #expect(try await find("unsent=true") == [id("amount"), id("paid")])
    }

    @Test func `A search is read in pages, from cursor to cursor`() async throws {
        var wanted: [String] = []
        for number in 0..<7 {
            let order = try await guest.buyNow(number % 2 == 0 ? "cap" : "hat").good()
            if number % 2 == 0 { wanted.append(order.id) }
        }
        let pages = try await admin.pages(Contract.allOrders, limit: 3, query: "sku=cap&q=ada")
        #expect(pages.map { $0.map(\.id) } == [Array(wanted.reversed().prefix(3)), [wanted[0]]])
    }

    @Test(arguments: [
        "q=", "q=%20", "q=" + String(repeating: "a", count: 255), "from=yesterday", "until=2026-13-01T00:00:00Z",
        "from=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z", "sku=", "email=a%40example.com", "unsent=", "unsent=1",
        "status=lost", "status=unrecognised", "status=", "state=paid", "limit=0",
    ])
    func `An invalid search is refused`(query: String) async throws {
        try await admin.call(Contract.allOrders, query: query).problem(.invalidQuery)
    }

    @Test func `Search words of orders and accounts end with the buyer's data, and SKUs stay`() async throws {
        let customer = try await shop.customer()
        let order = try await customer.order()
        #expect(try await find("q=guest%40example.com") == [order.id])
        #expect(try await customers("q=ada", for: admin) == 1)
        try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good()
        #expect(try await customers("q=ada", for: admin) == 0)
        #expect(try await customers("q=bea", for: admin) == 1)
        try await customer.deleteAccount().good()
        // The order is still to be sent.
        #expect(try await find("q=guest%40example.com") == [order.id])
        try await shop.store.write { try $0.orders.anonymise(id: order.id) }
        let terms = try await shop.rows(
            "SELECT term FROM search_terms WHERE object_id NOT IN (SELECT id FROM accounts WHERE role = 'admin')"
        ).map { try $0.text(0) }
        #expect(terms == ["s:cap"])
        #expect(try await find("sku=cap") == [order.id])
    }

    /// A plan that scans a table, or sorts, would read every order for one page.
    @Test(
        .enabled(if: !TestDatabase.isPostgres, "PostgreSQL plans by the statistics of full tables."),
        arguments: [
            OrderSearch(), OrderSearch(status: .paid), OrderSearch(text: "P-10001"), OrderSearch(text: "ada lovelace"),
            OrderSearch(text: "ada@example.com", sku: "cap"), OrderSearch(sku: "cap", from: .now),
            OrderSearch(from: .now, until: .now), OrderSearch(status: .paid, text: "ada"),
            OrderSearch(isUnsent: true), OrderSearch(isUnsent: true, sku: "cap", from: .now),
            OrderSearch(status: .paid, isUnsent: true, until: .now),
        ])
    func `No search scans or sorts all orders`(search: OrderSearch) async throws {
        let (sql, arguments) = SQLOrders.page(of: search, after: "ord_5", limit: 10, SQLDialect.sqlite.json)
        let plan = try await shop.rows("EXPLAIN QUERY PLAN SELECT o.id " + sql, arguments).map { try $0.text(3) }
        // The lines of one order are a virtual table.
        let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN line VIRTUAL TABLE") }
        #expect(scans == [] && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        if search == OrderSearch(isUnsent: true) { #expect(plan.contains { $0.contains("orders_unsent") }, "\(plan)") }
    }
}
