import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWeb
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Orders in the administration", .timeLimit(.minutes(5)))
struct AdminOrderPageTests {
    private func path(_ order: Order) -> String { "/admin/orders/\(order.id)" }

    // MARK: A merchant's day

    @Test func `An order is found, sent and delivered by its pages`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.member(.support)
            let list = try await visitor.get("/admin/orders?unsent=true")
            #expect(list.links.contains(path(order)))

            var page = try await visitor.get(path(order))
            #expect(page.heading == "Order \(order.number)" && page.words.contains("€34.90"))
            page = try await visitor.submit(
                page, action: path(order) + "/fulfil", ["tracking.carrier": "DHL", "tracking.number": "123"])
            #expect(page.words.contains("Order \(order.number) was marked as sent."))
            #expect(try await guest.order(id: order.id).tracking == Tracking(carrier: "DHL", number: "123"))
            #expect(try await !visitor.get("/admin/orders?unsent=true").links.contains(path(order)))

            page = try await visitor.submit(page, action: path(order) + "/deliver")
            #expect(try await guest.order(id: order.id).status == .delivered)
            #expect(!page.changes.contains(path(order) + "/fulfil") && !page.changes.contains(path(order) + "/cancel"))
        }
    }

    @Test func `The filters of the list stay in its tabs, its form and its export`() async throws {
        try await TestShop.open { shop in
            let visitor = try await shop.member(.readOnly)
            let page = try await visitor.get("/admin/orders?unsent=true&q=ada&campaign=x&from=2026-01-31&sku=a%26b")
            let rest = "q=ada&sku=a%26b&from=2026-01-31"
            #expect(page.links.contains("/admin/exports/orders?unsent=true&" + rest))
            #expect(page.links.contains("/admin/orders?status=paid&" + rest))
            #expect(page.links.contains("/admin/orders?" + rest))
            let fields = page.fields(of: "/admin/orders")
            #expect(fields["q"] == "ada" && fields["sku"] == "a&b" && fields["unsent"] == "true")
        }
    }

    @Test func `A note is for the staff, and one member sees that of another`() async throws {
        try await TestShop.open { shop in
            let order = try await shop.guest().order()
            let visitor = try await shop.member(.support)
            let told = try await visitor.submit(
                try await visitor.get(path(order)), action: path(order) + "/notes", ["text": "Wrap it\r\nas a gift"])
            #expect(told.location == path(order) + "#notes" && told.words.contains("The note was added."))
            let page = try await shop.member(.readOnly).get(path(order))
            #expect(page.words.contains("Wrap it as a gift"))
        }
    }

    @Test func `An order is cancelled before it is sent, with all its money`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 2)
            let visitor = try await shop.member(.manager)
            let page = try await visitor.submit(try await visitor.get(path(order)), action: path(order) + "/cancel")
            #expect(page.words.contains("was cancelled."))
            let after = try await guest.order(id: order.id)
            #expect(after.status == .cancelled && after.payment.refunded == order.totals.total)
            #expect(try await shop.available("cap") == 10)
        }
    }

    // MARK: Tracking

    @Test func `One button restores a removed tracking, unless another member has changed it`() async throws {
        try await TestShop.open { shop in
            let (guest, owner) = (try await shop.guest(), try await shop.admin())
            let order = try await guest.order()
            let visitor = try await shop.member(.support)
            var page = try await visitor.submit(
                try await visitor.get(path(order)), action: path(order) + "/fulfil",
                [
                    "tracking.carrier": "DHL", "tracking.number": "123",
                    "tracking.url": "https://example.com/123",
                ])
            let sent = try await guest.order(id: order.id).tracking

            func remove() async throws -> WebPage {
                try await visitor.submit(
                    try await visitor.get(path(order)), action: path(order) + "/tracking", ["tracking": ""])
            }
            page = try await remove()
            #expect(try await guest.order(id: order.id).tracking == nil)
            page = try await visitor.submit(page, action: path(order) + "/tracking", ["tracking.url": sent?.url])
            #expect(try await guest.order(id: order.id).tracking == sent && sent?.url != nil)

            let removed = try await remove()
            let other = Tracking(carrier: "UPS", number: "9")
            try await owner.call(
                Contract.updateOrder, OrderPatch(tracking: .set(other)), path: ["id": order.id]
            ).good()
            page = try await visitor.submit(
                removed, action: path(order) + "/tracking", ["tracking.url": "https://example.com/123"])
            #expect(page.status == 412)
            #expect(try await guest.order(id: order.id).tracking == other)
        }
    }

    @Test func `An order is sent with carrier and number or without both, and the missing one is named`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let visitor = try await shop.member(.support)
            for (typed, text, input) in [
                ("tracking.number", "Enter the carrier as well, or leave both empty.", "#f-tracking-carrier"),
                ("tracking.carrier", "Enter the tracking number as well, or leave both empty.", "#f-tracking-number"),
            ] {
                let page = try await visitor.submit(
                    try await visitor.get(path(order)), action: path(order) + "/fulfil", [typed: "123"])
                #expect(page.status == 422 && page.words.contains(text) && page.links.contains(input), "\(typed)")
                #expect(!page.words.contains("is missing"))
            }
            _ = try await visitor.submit(try await visitor.get(path(order)), action: path(order) + "/fulfil")
            #expect(try await guest.order(id: order.id).status == .fulfilled)
        }
    }

    @Test func `A tracking page that is not a link is refused, and the entries stay`() async throws {
        try await TestShop.open { shop in
            let order = try await shop.guest().order()
            let visitor = try await shop.member(.support)
            let page = try await visitor.submit(
                try await visitor.get(path(order)), action: path(order) + "/fulfil",
                ["tracking.carrier": "DHL", "tracking.number": "123", "tracking.url": "javascript:alert(1)"])
            #expect(page.status == 422)
            #expect(page.fields(of: path(order) + "/fulfil")["tracking.number?"] == "123")
            #expect(!page.links.contains { $0.hasPrefix("javascript:") })
        }
    }

    // MARK: Rights

    @Test func `A role without a right sees no form for it, and its request is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let fields: [(name: String, value: String)] = [
                ("reason", "x"), ("scope", "rest"), ("text", "note"), ("tracking.carrier", "DHL"),
                ("tracking.number", "1"),
            ]
            let all = ["fulfil", "deliver", "cancel", "tracking", "notes", "refund"].map { path(order) + "/" + $0 }
            for (role, refused) in [(StaffRole.readOnly, all), (.support, [path(order) + "/refund"])] {
                let visitor = try await shop.member(role)
                let page = try await visitor.get(path(order))
                #expect(page.status == 200 && page.changes.allSatisfy { !refused.contains($0) })
                let token = try await visitor.adminToken()
                for action in refused {
                    let answer = try await visitor.post(action, [("csrf", token), ("key", action)] + fields)
                    #expect(answer.status == 403, "\(role) \(action)")
                }
            }
            let after = try await guest.order(id: order.id)
            #expect(after == order)
            #expect(try await shop.rows("SELECT id FROM order_notes").isEmpty)
        }
    }

    // MARK: Two administrators

    @Test func `A conflicting change is refused and names the member who changed the order`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let (first, second) = (try await shop.member(.owner), try await shop.member(.manager))
            let seen = try await second.get(path(order))
            _ = try await first.submit(try await first.get(path(order)), action: path(order) + "/fulfil")
            let page = try await second.submit(seen, action: path(order) + "/cancel")
            #expect(page.status == 412 && page.words.contains("was changed while you had it open."))
            #expect(page.words.contains("Staff marked it as sent on"))
            #expect(page.words.contains("Its status is now: Sent."))
            #expect(page.changes.contains(path(order) + "/deliver") && !page.changes.contains(path(order) + "/cancel"))
            let after = try await guest.order(id: order.id)
            #expect(after.status == .fulfilled && after.payment.refunded.amount == 0)
            // The page has the version of now.
            _ = try await second.submit(page, action: path(order) + "/deliver")
            #expect(try await guest.order(id: order.id).status == .delivered)
        }
    }

    @Test func `A refund by another administrator is named, too`() async throws {
        try await TestShop.open { shop in
            let order = try await shop.guest().order("cap", 2)
            let (first, second) = (try await shop.member(.owner), try await shop.member(.support))
            let seen = try await second.get(path(order))
            _ = try await first.refund(order, "lines", ["lines.0.quantity": "1"])
            let page = try await second.submit(seen, action: path(order) + "/fulfil")
            #expect(page.status == 412 && page.words.contains("Staff refunded part of it on"))
            #expect(page.words.contains("Its status is now: Partly refunded."))
        }
    }

    @Test func `A form that is sent twice takes effect once`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.member(.manager)
            let page = try await visitor.get(path(order))
            for _ in 0..<2 {
                let values = ["amount": "5.00", "reason": "Moths"]
                _ = try await visitor.submit(page, action: path(order) + "/refund", values.mapValues(Optional.some))
            }
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 500)
        }
    }

    // MARK: Papers

    @Test func `The packing slip and the invoice are of the order`() async throws {
        try await TestShop.open { shop in
            let order = try await shop.guest().order("cap", 2)
            let visitor = try await shop.member(.readOnly)
            let slip = try await visitor.get(path(order) + "/packing-slip")
            #expect(slip.heading == "Packing slip" && slip.words.contains(order.number))
            #expect(slip.words.contains("Main Street 1") && slip.words.contains("Delivery Standard"))
            #expect(slip.words.contains("2 Cap") && slip.words.contains("2 units") && !slip.text.contains("€"))
            #expect(slip.changes.isEmpty)
            let invoice = try await visitor.get(path(order) + "/invoice")
            #expect(invoice.heading == "Invoice" && invoice.words.contains(order.number))
            #expect(invoice.words.contains("Main Street 1") && invoice.words.contains("Total €24.90"))
            #expect(invoice.changes.isEmpty)
        }
    }

    @Test func `The invoice and the foot of the shop's pages name the seller`() async throws {
        var settings = WebSettings(publicURL: "http://localhost", theme: try WebTheme())
        settings.shopAddress = ["Harbour Lane 5", "20457 <Hamburg>"]
        try await TestShop.open(configure: { $0.web = settings }) { shop in
            let order = try await shop.guest().order("cap")
            let invoice = try await shop.member(.readOnly).get(path(order) + "/invoice")
            #expect(invoice.text.contains("Harbour Lane 5<br>20457 &lt;Hamburg&gt;<br>"))
            let slip = try await shop.member(.readOnly, "packer@example.com").get(path(order) + "/packing-slip")
            #expect(slip.text.contains("Harbour Lane 5<br>20457 &lt;Hamburg&gt;<br>"))
            let page = try await WebVisitor(shop).get("/")
            #expect(page.text.contains("Harbour Lane 5<br>20457 &lt;Hamburg&gt;<br>"))
        }
    }

    @Test(arguments: [
        ("AU", "Sydney", "NSW", "2000", ["Sydney NSW 2000", "Australia"]),
        ("DE", "Hamburg", "Hamburg", "20095", ["20095 Hamburg", "Germany"]),
        ("FR", "Nice", "Provence", "06000", ["06000 Nice", "Provence", "France"]),
    ])
    func `The buyer, the staff and the parcel read one address, in the order of its country's post`(
        country: String, city: String, region: String, code: String, end: [String]
    ) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship(
                to: Address(
                    name: "Ada", line1: "High Street 1", city: city, region: region, postalCode: code, country: country)
            ).good()
            let order = try await guest.checkout().good()
            let visitor = try await shop.member(.readOnly)
            let lines = ["Ada", "High Street 1"] + end
            let buyer = WebVisitor(shop, session: guest.session)
            for page in [
                try await visitor.get(path(order)), try await visitor.get(path(order) + "/invoice"),
                try await visitor.get(path(order) + "/packing-slip"), try await buyer.get("/orders/\(order.id)"),
            ] {
                #expect(page.words.contains(lines.joined(separator: " ")), "\(page.address)")
            }
        }
    }
}
