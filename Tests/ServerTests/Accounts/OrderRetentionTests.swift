import ServerTesting
import Testing

@testable import PouchDomain

extension InShop {
    /// A shop that keeps the buyers of orders for some days.
    fileprivate static func keepingBuyers(days: Int) -> InShop {
        .inShop(configure: {
            $0.shop = ShopSettings(
                currency: .eur, country: "DE", shipping: [.flat("standard", 490)], orderBuyerDays: days)
        })
    }
}

@Suite("Orders of deleted accounts", .timeLimit(.minutes(5)))
struct OrderRetentionTests {
    private static let day: TimeInterval = 24 * 3600

    private let shop = TestShop.current

    /// Lets days pass, and the job run.
    private func wait(_ days: Double) async throws {
        shop.clock.advance(by: days * Self.day)
        while try await shop.store.write({ try OrderRetention(shop.environment).anonymiseDue(in: $0) }) {}
    }

    private func order(_ id: String) async throws -> Order {
        try await shop.store.read { try $0.orders.existing(id: id).order }
    }

    @Test(InShop.keepingBuyers(days: 30))
    func `An order names its buyer until it is sent and the shop's days are over`() async throws {
        let admin = try await shop.admin()
        let customer = try await shop.customer()
        let (sent, open) = (try await customer.order(), try await customer.order())
        try await admin.fulfil(sent.id).good()
        try await customer.deleteAccount().good()
        try await customer.profile().problem(.unauthenticated)

        let managed = try await admin.managed(open.number)
        #expect(managed.customer == nil && managed.order.email == "guest@example.com")
        #expect(managed.order.shipping?.address == .sample)
        let slip = try await admin.send("GET", "/v1/admin/orders/\(open.id)/packing-slip")
        #expect(slip.text.contains("Main Street 1"), "\(slip.text)")
        try await admin.note("Wrap it.", on: open.id).good()
        let found = try await admin.call(Contract.allOrders, query: "q=guest@example.com").good().items
        #expect(Set(found.map(\.id)) == [open.id, sent.id])

        try await wait(29)
        #expect(try await order(sent.id).email != nil)
        try await wait(1)
        let gone = try await order(sent.id)
        #expect(gone.email == nil && gone.shipping == nil && gone.totals == sent.totals)

        // However long an order takes, its days are counted from when it is sent.
        try await wait(60)
        #expect(try await order(open.id).shipping?.address == .sample)
        let next = try await shop.store.read { try OrderRetention(shop.environment).nextDue($0) }
        #expect(next == shop.clock.now.addingTimeInterval(Self.day))
        try await shop.signIn("grace@example.com").fulfil(open.id).good()
        try await wait(29)
        #expect(try await order(open.id).email == "guest@example.com")
        try await wait(1)
        #expect(try await order(open.id).email == nil)
        #expect(try await shop.rows("SELECT 1 FROM order_notes").isEmpty)
        let later = try await shop.signIn("grace@example.com")
        #expect(try await later.call(Contract.allOrders, query: "q=guest@example.com").good().items.isEmpty)
        #expect(try await shop.store.read { try OrderRetention(shop.environment).nextDue($0) } == nil)
    }

    @Test(InShop.keepingBuyers(days: 0))
    func `An order whose days are over becomes anonymous when its account is deleted`() async throws {
        let customer = try await shop.customer()
        let (sent, cancelled) = (try await customer.order(), try await customer.order())
        let open = try await customer.order()
        try await shop.admin().fulfil(sent.id).good()
        try await customer.cancel(cancelled.id).good()
        try await customer.deleteAccount().good()
        for (id, email) in [(sent.id, nil), (cancelled.id, nil), (open.id, "guest@example.com")] {
            #expect(try await order(id).email == email)
        }
    }

    @Test(InShop.keepingBuyers(days: 30)) func `An order that was never charged is anonymous at once`() async throws {
        let customer = try await shop.customer()
        let order = try await customer.cancel(customer.order().id).good()
        var unpaid = order
        unpaid.payment = Payment(
            id: order.payment.id, status: .failed, amount: order.payment.amount, refunded: order.payment.refunded)
        let retention = OrderRetention(shop.environment)
        #expect(retention.end(of: unpaid) == order.history.last?.at)
        #expect(retention.end(of: order) == order.history.last?.at.addingTimeInterval(30 * Self.day))
    }

    @Test(InShop.keepingBuyers(days: 0)) func `Orders of an account that is not deleted stay unchanged`() async throws {
        let order = try await shop.customer().order()
        try await shop.admin().fulfil(order.id).good()
        try await wait(1_000)
        #expect(try await self.order(order.id).email == "guest@example.com")
    }

    @Test(InShop.keepingBuyers(days: 30))
    func `The export and the page say what is kept and until when`() async throws {
        let customer = try await shop.customer()
        let sent = try await customer.order()
        try await shop.admin().fulfil(sent.id).good()
        let end = shop.clock.now.addingTimeInterval(30 * Self.day)
        shop.clock.advance(by: 1)
        let open = try await customer.order()
        let export = try await customer.call(Contract.exportAccount).good()
        #expect(export.retention == [.init(number: open.number, until: nil), .init(number: sent.number, until: end)])
        let page = try await WebVisitor(shop, session: customer.session).get("/account/data")
        let style = Date.FormatStyle(date: .long, time: .omitted, locale: Locale(identifier: "en_GB"), timeZone: .gmt)
        for words in [
            "for 30 days after they are sent", "\(open.number): not sent yet",
            "\(sent.number): until \(end.formatted(style))",
        ] { #expect(page.words.contains(words), "\(page.words)") }
    }
}
