import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchRides
import PouchServer
import PouchStorage
import Testing

@Suite("The pages of orders", .timeLimit(.minutes(5)))
struct OrderPageTests {
    private func open(_ body: @escaping @Sendable (TestShop, WebVisitor) async throws -> Void) async throws {
        try await TestShop.open { shop in try await body(shop, WebVisitor(shop)) }
    }

    private func token(_ shop: TestShop, _ id: String, seconds: TimeInterval = 60) -> String {
        LinkSigner(keyRing: shop.services.keyRing, digests: shop.environment.digests).token(
            for: SignedLink(.order, id: id, expiresAt: shop.clock.now.addingTimeInterval(seconds)))
    }

    // MARK: Lists

    @Test func `A guest sees the orders of the session, and a visitor without one the form for a link`() async throws {
        try await open { shop, visitor in
            #expect(try await visitor.get("/orders").heading == "Find your order")
            let order = try await visitor.buy()
            let list = try await visitor.get("/orders")
            let id = try order.orderId()
            #expect(list.heading == "Your orders" && list.links.contains("/orders/\(id)"))
            #expect(list.words.contains("1 product") && list.words.contains("€14.90"))
            // A link in a mail may name an order of another session.
            #expect(list.forms.contains { $0.action == "/orders/link" })
            #expect(try await WebVisitor(shop).get("/orders").heading == "Find your order")
        }
    }

    @Test func `A long list has pages, the latest first`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let customer = try await shop.customer()
            var numbers: [String] = []
            for _ in 0..<23 {
                // The ids of one millisecond have no order.
                shop.clock.advance(by: 1)
                numbers.append(try await customer.buyNow().good().number)
            }
            let visitor = WebVisitor(shop, session: customer.session)
            func shown(_ page: WebPage) -> [String] {
                numbers.reversed().filter { page.words.contains("Order \($0) ") }
            }
            let first = try await visitor.get("/orders")
            #expect(shown(first) == Array(numbers.reversed().prefix(20)))
            let next = try #require(first.links.first { $0.hasPrefix("/orders?cursor=") })
            let second = try await visitor.get(next)
            #expect(shown(second) == Array(numbers.prefix(3).reversed()) && second.links.contains("/orders"))
            #expect(!second.links.contains { $0.hasPrefix("/orders?cursor=") })
            #expect(try await visitor.get("/orders?cursor=made-up").status == 400)
        }
    }

    // MARK: One order

    @Test func `An order is found by its id and its number, by its buyer only`() async throws {
        try await open { shop, visitor in
            let id = try await visitor.buy().orderId()
            let number = try #require(try await visitor.get("/orders/\(id)").heading.split(separator: " ").last)
            #expect(try await visitor.get("/orders/\(number)").status == 200)
            let other = WebVisitor(shop)
            let cart = try await other.add("scarf", 1, sku: "scarf-s")
            for path in [id, String(number), "ord_none"] {
                #expect(try await other.get("/orders/\(path)").status == 404)
                #expect(try await other.get("/orders/\(path)/live").status == 404)
            }
            let csrf = cart.fields(of: "/cart/lines/scarf-s")["csrf"] ?? ""
            let fields = [(name: "csrf", value: csrf), (name: "key", value: "k")]
            #expect(try await other.post("/orders/\(id)/cancel", fields).status == 404)
            #expect(try await visitor.get("/orders/\(id)").words.contains("Paid"))
            #expect(try await WebVisitor(shop).get("/orders/\(id)").location?.hasPrefix("/sign-in?next=") == true)
        }
    }

    @Test func `The page says how far the order is, and where the parcel can be followed`() async throws {
        try await open { shop, visitor in
            let id = try await visitor.buy().orderId()
            let admin = try await shop.admin()
            let tracking = Tracking(carrier: "DHL", number: "0034", url: "https://carrier.example/0034")
            try await admin.call(Contract.fulfilOrder, FulfilRequest(tracking: tracking), path: ["id": id]).good()
            let sent = try await visitor.get("/orders/\(id)")
            #expect(sent.words.contains("Your order is on its way to you.") && sent.links.contains(tracking.url ?? ""))
            #expect(sent.words.contains("Shipped with DHL"))
            #expect(sent.attributes(of: "li").filter { $0["class"]?.contains("is-done") == true }.count == 3)
            #expect(!sent.forms.contains { $0.action.hasSuffix("/cancel") })
            #expect(sent.attributes(of: "div").contains { $0["data-live"] != nil })
            try await admin.deliver(id).good()
            let delivered = try await visitor.get("/orders/\(id)")
            #expect(delivered.words.contains("Your order has arrived."))
            #expect(!delivered.attributes(of: "div").contains { $0["data-live"] != nil })
        }
    }

    @Test func `A buyer cancels before the order is sent, once`() async throws {
        try await open { shop, visitor in
            let page = try await visitor.buy()
            let id = try page.orderId()
            let action = "/orders/\(id)/cancel"
            let foreign = try await visitor.post(
                action, try page.form(action).filled([:]), headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == 403)
            let cancelled = try await visitor.submit(page, action: action)
            #expect(cancelled.location == "/orders/\(id)" && cancelled.words.contains("This order was cancelled."))
            #expect(cancelled.words.contains("Your order was cancelled. You will receive a full refund."))
            #expect(try await shop.available("cap") == 10)
            // The same form again repeats the answer.
            #expect(try await visitor.submit(page, action: action).location == "/orders/\(id)")
            #expect(try await visitor.get(action).location == "/orders/\(id)")
        }
    }

    @Test func `A late cancellation says why it is refused`() async throws {
        try await open { shop, visitor in
            let page = try await visitor.buy()
            let id = try page.orderId()
            try await shop.admin().fulfil(id).good()
            let refused = try await visitor.submit(page, action: "/orders/\(id)/cancel")
            #expect(refused.status == 409 && refused.words.contains("This order can no longer be cancelled"))
            #expect(refused.heading.hasPrefix("Order P-"))
        }
    }

    // MARK: Links of mails

    @Test func `A link shows the order without its forms, and no address has the token`() async throws {
        try await open { shop, visitor in
            let order = try await shop.guest().buyNow().good()
            let token = token(shop, order.id)
            let page = try await visitor.get("/orders")
            let shown = try await visitor.submit(
                page, action: "/orders/link", ["token": "https://shop.example.com/orders#\(token) "])
            #expect(shown.status == 200 && shown.location == nil && shown.heading == "Order \(order.number)")
            #expect(shown.words.contains("Main Street 1") && !shown.text.contains(token))
            #expect(shown.header("Cache-Control") == "no-store")
            #expect(!shown.forms.contains { $0.action.hasPrefix("/orders/ord") })
            // The link is no session: the order's own address still asks for one.
            #expect(visitor.cookies["pouch_access"] == nil)
            #expect(try await visitor.get("/orders/\(order.id)").status != 200)
            #expect(try await visitor.get("/orders/link").location == "/orders")
        }
    }

    @Test func `A link of one's own order leads to its page`() async throws {
        try await open { shop, visitor in
            let id = try await visitor.buy().orderId()
            let page = try await visitor.get("/orders")
            let shown = try await visitor.submit(page, action: "/orders/link", ["token": token(shop, id)])
            #expect(shown.location == "/orders/\(id)" && shown.forms.contains { $0.action == "/orders/\(id)/cancel" })
        }
    }

    @Test func `A wrong or old link is refused with what to do`() async throws {
        try await open { shop, visitor in
            let order = try await shop.guest().buyNow().good()
            let page = try await visitor.get("/orders")
            let wrong = try await visitor.submit(page, action: "/orders/link", ["token": token(shop, order.id) + "A"])
            #expect(wrong.status == 422 && wrong.words.contains("This link is not valid"))
            let old = try await visitor.submit(
                wrong, action: "/orders/link", ["token": token(shop, order.id, seconds: -1)])
            #expect(old.status == 410 && old.words.contains("This link has expired."))
        }
    }

    // MARK: Live

    /// Reads the events of a page's order until one has the name. Returns its data.
    private func next(_ name: String, _ connection: RawConnection, after received: inout String) async throws -> String
    {
        while true {
            if let start = received.range(of: "event: \(name)\n"),
                let end = received.range(of: "\n\n", range: start.upperBound..<received.endIndex)
            {
                let event = String(received[start.upperBound..<end.lowerBound])
                received = String(received[end.upperBound...])
                return event
            }
            let more = await connection.receive()
            try #require(!more.isEmpty, "\(received)")
            received += more
        }
    }

    private func follow(_ page: WebPage, _ visitor: WebVisitor, at shop: TestShop) throws -> RawConnection {
        let path = try #require(page.attributes(of: "div").compactMap { $0["data-live"] }.first)
        let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let connection = try RawConnection(port: #require(shop.client.port))
        try connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        return connection
    }

    /// The next position on the map.
    private func spot(_ connection: RawConnection, _ received: inout String) async throws -> (x: Int, y: Int) {
        let data = try await next("position", connection, after: &received)
        let found = try #require(data.firstMatch(of: #/"x":(-?\d+)/#))
        let other = try #require(data.firstMatch(of: #/"y":(-?\d+)/#))
        return (try #require(Int(found.1)), try #require(Int(other.1)))
    }

    @Test func `The page receives an event when the order is sent, and not before`() async throws {
        try await TestShop.open(setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }) { shop in
            let visitor = WebVisitor(shop)
            let page = try await visitor.buy()
            let connection = try follow(page, visitor, at: shop)
            var received = ""
            // A heartbeat comes; the page shows the current status already.
            while !received.contains(":\n\n") {
                let more = await connection.receive()
                try #require(!more.isEmpty, "\(received)")
                received += more
            }
            #expect(received.lowercased().contains("content-type: text/event-stream"))
            #expect(!received.contains("event:"))
            try await shop.admin().fulfil(try page.orderId()).good()
            _ = try await next("status", connection, after: &received)
            try connection.close()
        }
    }

    @Test func `An order that has ended has no events`() async throws {
        try await open { shop, visitor in
            let page = try await visitor.buy()
            let id = try page.orderId()
            let admin = try await shop.admin()
            try await admin.fulfil(id).good()
            try await admin.deliver(id).good()
            let last = try await shop.rows("SELECT version FROM orders").first.map { try $0.integer(0) }
            #expect(try await visitor.get("/orders/\(id)/live?order=\(last ?? 0)").status == 204)
        }
    }

    @Test func `The map shows the kangaroo, and its moves arrive in the map's units`() async throws {
        try await TestShop.open(
            kangaroos: .calm(3), .usual, setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }
        ) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            let ride = try #require(order.rideId)
            let visitor = WebVisitor(shop, session: customer.session)
            #expect(try await visitor.get("/orders/\(order.id)").words.contains("We are looking for a free kangaroo."))
            try await shop.go(ride, to: .inProgress)
            let page = try await visitor.get("/orders/\(order.id)")
            #expect(page.words.contains("is bringing your order.") && page.words.contains("Arrives in"))
            let svg = try #require(page.attributes(of: "svg").first { $0["class"] == "map" })
            #expect(svg["viewbox"] ?? svg["viewBox"] == "0 0 1000 600")
            // The label of the lower place is below it, and that of the other one above.
            let places = page.attributes(of: "g").prefix(2).compactMap { $0["transform"]?.dropLast() }
            let heights = places.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            try #require(heights.count == 2)
            let labels = page.attributes(of: "text").map { $0["class"] == "is-below" }
            #expect(labels == [heights[0] > heights[1], heights[1] > heights[0]])
            let connection = try follow(page, visitor, at: shop)
            var received = ""
            let first = try await spot(connection, &received)
            shop.clock.advance(by: 5)
            let second = try await spot(connection, &received)
            #expect(first.x != second.x || first.y != second.y)
            for spot in [first, second] {
                #expect((0...1_000).contains(spot.x) && (0...600).contains(spot.y))
            }
            try await shop.go(ride, to: .completed)
            _ = try await next("status", connection, after: &received)
            try connection.close()
            #expect(try await !visitor.get("/orders/\(order.id)").text.contains("data-courier"))
        }
    }

    @Test func `Without a kangaroo the buyer chooses another delivery`() async throws {
        try await TestShop.open(kangaroos: [], .usual) { shop in
            let customer = try await shop.customer()
            let place = try #require(Gazetteer.sydney.first { $0.name == "Bondi Beach" })
            let order = try await customer.orderByKangaroo(to: .at(place.location))
            try await shop.go(try #require(order.rideId), to: .noDriversAvailable)
            let visitor = WebVisitor(shop, session: customer.session)
            let page = try await visitor.get("/orders/\(order.id)")
            #expect(page.words.contains("This delivery failed. No kangaroo is available."))
            #expect(page.words.contains("Handover at Bondi Beach"))
            let changed = try await visitor.submit(
                page, action: "/orders/\(order.id)/shipping", ["methodId": "standard"])
            #expect(changed.location == "/orders/\(order.id)")
            #expect(changed.words.contains("The delivery method was changed."))
            #expect(changed.words.contains("Standard") && !changed.words.contains("No kangaroo is available."))
            #expect(!changed.words.contains("Handover"))
        }
    }
}
