import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWeb
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Orders in the administration", .timeLimit(.minutes(2)))
struct AdminOrderPageTests {
    private func path(_ order: Order) -> String { "/admin/orders/\(order.id)" }

    // MARK: A merchant's day

    @Test func `An order is found, sent and delivered by its pages`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.support)
            let list = try await visitor.get("/admin/orders?unsent=true")
            #expect(list.links.contains(path(order)))

            var page = try await visitor.get(path(order))
            #expect(page.heading == "Order \(order.number)" && page.words.contains("€34.90"))
            page = try await visitor.submit(
                page, action: path(order) + "/fulfil", ["tracking.carrier": "DHL", "tracking.number": "123"])
            #expect(page.words.contains("Order \(order.number) is marked as sent."))
            #expect(try await guest.order(id: order.id).tracking == Tracking(carrier: "DHL", number: "123"))
            #expect(try await !visitor.get("/admin/orders?unsent=true").links.contains(path(order)))

            page = try await visitor.submit(page, action: path(order) + "/deliver")
            #expect(try await guest.order(id: order.id).status == .delivered)
            #expect(!page.changes.contains(path(order) + "/fulfil") && !page.changes.contains(path(order) + "/cancel"))
        }
    }

    @Test func `The filters of the list stay in its tabs, its form and its export`() async throws {
        try await TestShop.open { shop in
            let visitor = try await shop.desk(.readOnly)
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
            let visitor = try await shop.desk(.support)
            let told = try await visitor.submit(
                try await visitor.get(path(order)), action: path(order) + "/notes", ["text": "Wrap it\r\nas a gift"])
            #expect(told.location == path(order) + "#notes" && told.words.contains("The note was added."))
            let page = try await shop.desk(.readOnly).get(path(order))
            #expect(page.words.contains("Wrap it as a gift"))
        }
    }

    @Test func `An order is cancelled before it is sent, with all its money`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 2)
            let visitor = try await shop.desk(.manager)
            let page = try await visitor.submit(try await visitor.get(path(order)), action: path(order) + "/cancel")
            #expect(page.words.contains("is cancelled."))
            let after = try await guest.order(id: order.id)
            #expect(after.status == .cancelled && after.payment.refunded == order.totals.total)
            #expect(try await shop.available("cap") == 10)
        }
    }

    // MARK: Refunds

    @Test func `Units, an amount and the rest are refunded one after the other`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.manager)
            func refunded() async throws -> Int64 { try await guest.order(id: order.id).payment.refunded.amount }

            var page = try await visitor.refund(order, "lines", ["lines.0.quantity": "1"])
            #expect(page.words.contains("€10.00 was refunded."))
            #expect(page.words.contains("€24.90 can still be refunded"))
            #expect(try await guest.order(id: order.id).lines[0].refundedQuantity == 1)
            page = try await visitor.refund(order, "amount", ["amount": "2,50"])
            #expect(try await refunded() == 1250)
            page = try await visitor.refund(order, "rest")
            #expect(try await refunded() == 3490)
            #expect(try await guest.order(id: order.id).status == .refunded)
            #expect(!page.changes.contains(path(order) + "/refund"))
        }
    }

    @Test func `A refund without units or without an amount refunds nothing, rather than everything`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.manager)
            for units in ["", "0"] {
                #expect(try await visitor.refund(order, "lines", ["lines.0.quantity": units]).status == 422)
            }
            let page = try await visitor.refund(order, "amount", ["amount": ""])
            #expect(page.status == 422 && page.heading == "Order \(order.number)")
            let token = try await visitor.deskToken()
            let bare = try await visitor.post(
                path(order) + "/refund", [("csrf", token), ("key", "k"), ("reason", "x")])
            #expect(bare.status == 400)
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 0)
        }
    }

    @Test func `A refused refund comes back in its own form, with what is left at its field`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.manager)
            func reasons(_ page: WebPage) -> [String] {
                ["lines", "amount", "rest"].map { scope in
                    page.refund(scope)?.fields.first { $0.name == "reason" }?.value ?? "no form"
                }
            }
            /// Whether the folds of the three forms are open.
            func open(_ page: WebPage) throws -> [Bool] {
                let part = try #require(page.text.firstRange(of: #"id="refund""#))
                let folds = page.text[part.upperBound...].matches(of: #/<details( open)?>/#).prefix(3)
                return folds.map { $0.output.1 != nil }
            }
            let blank = try await visitor.get(path(order))
            #expect(try open(blank) == [true, false, false] && reasons(blank) == ["", "", ""])
            let page = try await visitor.refund(order, "amount", ["amount": "35"])
            #expect(page.status == 409 && page.words.contains("At most €34.90 can still be refunded."))
            #expect(page.links.contains("#amount-amount"))
            #expect(try open(page) == [false, true, false] && reasons(page) == ["", "Moths", ""])
            let typed = page.refund("amount")?.fields.first { $0.name == "amount:money" }?.value
            #expect(typed == "35")
            let rest = try await visitor.refund(order, "rest", ["reason": ""])
            #expect(rest.links.contains("#rest-reason"))
            #expect(try open(rest) == [false, false, true])
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 0)
        }
    }

    @Test func `A refused quantity is shown at its product, also after products without units`() async throws {
        try await TestShop.open { shop in
            let order = try await shop.guest().order(["cap", "scarf-s"])
            let visitor = try await shop.desk(.manager)
            let page = try await visitor.refund(order, "lines", ["lines.0.quantity": "0", "lines.1.quantity": "5"])
            #expect(page.status == 422 && page.links.contains("#f-lines-1-quantity"))
            #expect(!page.links.contains("#f-lines-0-quantity"))
            #expect(page.refund("lines")?.units == ["0", "5"])
        }
    }

    @Test func `An old session confirms the password, and the refund goes on as it was filled in`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.manager)
            shop.clock.advance(by: 11 * 60)
            let asked = try await visitor.refund(order, "lines", ["lines.0.quantity": "2"])
            #expect(asked.heading == "Confirm your password")
            let back = try #require(asked.links.first)
            #expect(try await visitor.get(back).location == path(order))
            #expect(try await guest.order(id: order.id).payment.refunded.amount == 0)
            let wrong = try await visitor.submit(
                asked, action: path(order) + "/refund", ["confirm.password": "wrong password"])
            #expect(wrong.status == 401 && wrong.heading == asked.heading && !wrong.text.contains("wrong password\""))
            let page = try await visitor.submit(
                wrong, action: path(order) + "/refund", ["confirm.password": .password])
            #expect(page.location == path(order) && page.words.contains("€20.00 was refunded."))
            #expect(try await guest.order(id: order.id).lines[0].refundedQuantity == 2)
            let audit = try await shop.rows("SELECT new_value FROM audit WHERE action = 'refundOrder'")
            #expect(try !audit.contains { try $0.text(0).contains(String.password) })
        }
    }

    // MARK: Tracking

    @Test func `One button restores a removed tracking, unless another member has changed it`() async throws {
        try await TestShop.open { shop in
            let (guest, owner) = (try await shop.guest(), try await shop.admin())
            let order = try await guest.order()
            let visitor = try await shop.desk(.support)
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
            let visitor = try await shop.desk(.support)
            for (typed, text, input) in [
                ("tracking.number", "Name the carrier, too, or leave both empty.", "#f-tracking-carrier"),
                ("tracking.carrier", "Enter the tracking number, too, or leave both empty.", "#f-tracking-number"),
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
            let visitor = try await shop.desk(.support)
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
                let visitor = try await shop.desk(role)
                let page = try await visitor.get(path(order))
                #expect(page.status == 200 && page.changes.allSatisfy { !refused.contains($0) })
                let token = try await visitor.deskToken()
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
            let (first, second) = (try await shop.desk(.owner), try await shop.desk(.manager))
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
            let (first, second) = (try await shop.desk(.owner), try await shop.desk(.support))
            let seen = try await second.get(path(order))
            _ = try await first.refund(order, "lines", ["lines.0.quantity": "1"])
            let page = try await second.submit(seen, action: path(order) + "/fulfil")
            #expect(page.status == 412 && page.words.contains("Staff refunded a part of it on"))
            #expect(page.words.contains("Its status is now: Partly refunded."))
        }
    }

    @Test func `Who refunds second is told, and the units that were typed stay at their product`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order(["cap", "scarf-s"])
            let (first, second) = (try await shop.desk(.owner), try await shop.desk(.manager))
            let seen = try await second.get(path(order))
            _ = try await first.refund(order, "lines", ["lines.0.quantity": "1"])
            let told = try await second.refund("lines", on: seen, ["lines.0.quantity": "1"])
            #expect(told.status == 412 && told.words.contains("Staff refunded a part of it on"))
            #expect(told.refund("lines")?.units == ["0"])
            #expect(try await second.refund("amount", on: seen, ["amount": "10.00"]).status == 412)
            #expect(try await second.refund("rest", on: seen).status == 412)
            #expect(try await guest.order(id: order.id).lines.map(\.refundedQuantity) == [1, 0])
            // The page has the version of now.
            _ = try await second.refund("lines", on: told, ["lines.1.quantity": "1"])
            #expect(try await guest.order(id: order.id).lines.map(\.refundedQuantity) == [1, 1])
        }
    }

    @Test func `A form that is sent twice takes effect once`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            let visitor = try await shop.desk(.manager)
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
            let visitor = try await shop.desk(.readOnly)
            let slip = try await visitor.get(path(order) + "/packing-slip")
            #expect(slip.header("Content-Type")?.hasPrefix("text/plain") == true)
            #expect(slip.text.contains("PACKING SLIP") && slip.text.contains(order.number))
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
            let invoice = try await shop.desk(.readOnly).get(path(order) + "/invoice")
            #expect(invoice.text.contains("Harbour Lane 5<br>20457 &lt;Hamburg&gt;<br>"))
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
            let visitor = try await shop.desk(.readOnly)
            let lines = ["Ada", "High Street 1"] + end
            let slip = try await visitor.get(path(order) + "/packing-slip").text
            #expect(slip.contains("\n" + lines.map { "    \($0)\n" }.joined() + "\n"), "\(slip)")
            let buyer = WebVisitor(shop, session: guest.session)
            for page in [
                try await visitor.get(path(order)), try await visitor.get(path(order) + "/invoice"),
                try await buyer.get("/orders/\(order.id)"),
            ] {
                #expect(page.words.contains(lines.joined(separator: " ")), "\(page.address)")
            }
        }
    }
}

extension Caller {
    /// Fills the cart with one unit each, chooses shipping and pays.
    fileprivate func order(_ skus: [String]) async throws -> Order {
        for sku in skus { try await add(sku).good() }
        try await ship().good()
        return try await checkout().good()
    }
}

extension WebForm {
    /// The typed units of each product.
    fileprivate var units: [String] {
        controls.filter { $0.name.hasSuffix(".quantity:int") }.map(\.value)
    }
}
