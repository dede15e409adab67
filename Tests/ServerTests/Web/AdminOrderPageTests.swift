import PouchWeb
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Orders in the administration", .inShop(), .timeLimit(.minutes(5)))
struct AdminOrderPageTests {
    private let shop = TestShop.current
    private let guest: Caller
    /// Two caps for €24.90 with delivery.
    private let order: Order
    private let path: String

    init() async throws {
        guest = try await shop.guest()
        order = try await guest.order("cap", 2)
        path = "/admin/orders/\(order.id)"
    }

    private func current() async throws -> Order { try await guest.order(id: order.id) }

    @Test func `An order is found, sent and delivered by its pages`() async throws {
        let visitor = try await shop.member(.support)
        #expect(try await visitor.get("/admin/orders?unsent=true").links.contains(path))
        var page = try await visitor.get(path)
        #expect(page.heading == "Order \(order.number)" && page.words.contains("€24.90"))
        page = try await visitor.submit(
            page, action: path + "/fulfil", ["tracking.carrier": "DHL", "tracking.number": "123"])
        #expect(page.words.contains("Order \(order.number) was marked as sent."))
        #expect(try await current().tracking == Tracking(carrier: "DHL", number: "123"))
        #expect(try await !visitor.get("/admin/orders?unsent=true").links.contains(path))
        page = try await visitor.submit(page, action: path + "/deliver")
        #expect(try await current().status == .delivered)
        #expect(!page.changes.contains(path + "/fulfil") && !page.changes.contains(path + "/cancel"))
    }

    @Test func `The filters of the list stay in its tabs, its form and its export`() async throws {
        let visitor = try await shop.member(.readOnly)
        let page = try await visitor.get("/admin/orders?unsent=true&q=ada&campaign=x&from=2026-01-31&sku=a%26b")
        let rest = "q=ada&sku=a%26b&from=2026-01-31"
        #expect(page.links.contains("/admin/exports/orders?unsent=true&" + rest))
        #expect(page.links.contains("/admin/orders?status=paid&" + rest))
        #expect(page.links.contains("/admin/orders?" + rest))
        let fields = page.fields(of: "/admin/orders")
        #expect(fields["q"] == "ada" && fields["sku"] == "a&b" && fields["unsent"] == "true")
    }

    @Test func `A note is for the staff, and one member sees that of another`() async throws {
        let told = try await shop.member(.support).submit(
            at: path, action: path + "/notes", ["text": "Wrap it\r\nas a gift"])
        #expect(told.location == path + "#notes" && told.words.contains("The note was added."))
        #expect(try await shop.member(.readOnly).get(path).words.contains("Wrap it as a gift"))
    }

    @Test func `An order is cancelled before it is sent, with all its money`() async throws {
        let page = try await shop.member(.manager).submit(at: path, action: path + "/cancel")
        #expect(page.words.contains("was cancelled."))
        let after = try await current()
        #expect(after.status == .cancelled && after.payment.refunded == order.totals.total)
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `One button restores a removed tracking, unless another member has changed it`() async throws {
        let link = "https://example.com/123"
        let visitor = try await shop.member(.support)
        _ = try await visitor.submit(
            at: path, action: path + "/fulfil",
            ["tracking.carrier": "DHL", "tracking.number": "123", "tracking.url": link])
        let sent = Tracking(carrier: "DHL", number: "123", url: link)
        #expect(try await current().tracking == sent)
        func remove() async throws -> WebPage {
            try await visitor.submit(at: path, action: path + "/tracking", ["tracking": ""])
        }
        func restore(_ page: WebPage) async throws -> WebPage {
            try await visitor.submit(page, action: path + "/tracking", ["tracking.url": link])
        }
        let page = try await remove()
        #expect(try await current().tracking == nil)
        _ = try await restore(page)
        #expect(try await current().tracking == sent)
        let removed = try await remove()
        let other = Tracking(carrier: "UPS", number: "9")
        let patch = OrderPatch(tracking: .set(other))
        try await shop.admin().call(Contract.updateOrder, patch, path: ["id": order.id]).good()
        #expect(try await restore(removed).status == 412)
        #expect(try await current().tracking == other)
    }

    @Test func `An order is sent with carrier and number or without both, and the missing one is named`() async throws {
        let visitor = try await shop.member(.support)
        for (typed, text, input) in [
            ("tracking.number", "Enter the carrier as well, or leave both empty.", "#f-tracking-carrier"),
            ("tracking.carrier", "Enter the tracking number as well, or leave both empty.", "#f-tracking-number"),
        ] {
            let page = try await visitor.submit(at: path, action: path + "/fulfil", [typed: "123"])
            #expect(page.status == 422 && page.words.contains(text) && page.links.contains(input), "\(typed)")
            #expect(!page.words.contains("is missing"))
            // The entry is still there.
            #expect(page.fields(of: path + "/fulfil")[typed + "?"] == "123")
        }
        _ = try await visitor.submit(at: path, action: path + "/fulfil")
        #expect(try await current().status == .fulfilled)
    }

    @Test func `A role without a right sees no form for it, and its request is refused`() async throws {
        let fields: [(name: String, value: String)] = [
            ("reason", "x"), ("scope", "rest"), ("text", "note"), ("tracking.carrier", "DHL"), ("tracking.number", "1"),
        ]
        let all = ["fulfil", "deliver", "cancel", "tracking", "notes", "refund"].map { path + "/" + $0 }
        for (role, refused) in [(StaffRole.readOnly, all), (.support, [path + "/refund"])] {
            let visitor = try await shop.member(role)
            let page = try await visitor.get(path)
            #expect(page.status == 200 && page.changes.allSatisfy { !refused.contains($0) })
            for action in refused {
                #expect(try await visitor.forge(action, fields).status == 403, "\(role) \(action)")
            }
        }
        #expect(try await current() == order)
        #expect(try await shop.rows("SELECT id FROM order_notes").isEmpty)
    }

    @Test func `A conflicting change is refused and names the member who changed the order`() async throws {
        let (first, second) = (try await shop.member(.owner), try await shop.member(.manager))
        let seen = try await second.get(path)
        _ = try await first.submit(at: path, action: path + "/fulfil")
        let page = try await second.submit(seen, action: path + "/cancel")
        #expect(page.status == 412 && page.words.contains("was changed while you had it open."))
        #expect(page.words.contains("Staff marked it as sent on") && page.words.contains("Its status is now: Sent."))
        #expect(page.changes.contains(path + "/deliver") && !page.changes.contains(path + "/cancel"))
        let after = try await current()
        #expect(after.status == .fulfilled && after.payment.refunded.amount == 0)
        // The page has the version of now.
        _ = try await second.submit(page, action: path + "/deliver")
        #expect(try await current().status == .delivered)
    }

    @Test func `A form that is sent twice takes effect once`() async throws {
        let visitor = try await shop.member(.manager)
        let page = try await visitor.get(path)
        for _ in 0..<2 {
            _ = try await visitor.submit(page, action: path + "/refund", ["amount": "5.00", "reason": "Moths"])
        }
        #expect(try await current().payment.refunded.amount == 500)
    }

    @Test func `The packing slip and the invoice are of the order`() async throws {
        let visitor = try await shop.member(.readOnly)
        let slip = try await visitor.get(path + "/packing-slip")
        #expect(slip.heading == "Packing slip" && slip.words.contains(order.number))
        #expect(slip.words.contains("Main Street 1") && slip.words.contains("Delivery Standard"))
        #expect(slip.words.contains("2 Cap") && slip.words.contains("2 units") && !slip.text.contains("€"))
        #expect(slip.changes.isEmpty)
        let invoice = try await visitor.get(path + "/invoice")
        #expect(invoice.heading == "Invoice" && invoice.words.contains(order.number))
        #expect(invoice.words.contains("Main Street 1") && invoice.words.contains("Total €24.90"))
        #expect(invoice.changes.isEmpty)
    }

    @Test(.withPages(at: "http://localhost") { $0.shopAddress = ["Harbour Lane 5", "20457 <Hamburg>"] })
    func `The invoice and the foot of the shop's pages name the seller`() async throws {
        let visitor = try await shop.member(.readOnly)
        for address in [path + "/invoice", path + "/packing-slip", "/"] {
            let page = try await visitor.get(address)
            #expect(page.text.contains("Harbour Lane 5<br>20457 &lt;Hamburg&gt;<br>"), "\(address)")
        }
    }

    @Test(arguments: [
        ("AU", "Sydney", "NSW", "2000", ["Sydney NSW 2000", "Australia"]),
        ("DE", "Hamburg", "Hamburg", "20095", ["20095 Hamburg", "Germany"]),
        ("FR", "Nice", "Provence", "06000", ["06000 Nice", "Provence", "France"]),
    ])
    func `Pages of the buyer and the staff show the address in the order of its country's post`(
        country: String, city: String, region: String, code: String, end: [String]
    ) async throws {
        let address = Address(
            name: "Ada", line1: "High Street 1", city: city, region: region, postalCode: code, country: country)
        try await guest.add("cap").good()
        try await guest.ship(to: address).good()
        let id = try await guest.checkout().good().id
        let (visitor, path) = (try await shop.member(.readOnly), "/admin/orders/\(id)")
        let lines = ["Ada", "High Street 1"] + end
        for page in [
            try await visitor.get(path), try await visitor.get(path + "/invoice"),
            try await visitor.get(path + "/packing-slip"),
            try await WebVisitor(shop, session: guest.session).get("/orders/\(id)"),
        ] { #expect(page.words.contains(lines.joined(separator: " ")), "\(page.address)") }
    }
}
