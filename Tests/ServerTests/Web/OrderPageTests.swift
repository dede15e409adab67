import HummingbirdTesting
import PouchRides
import ServerTesting
import Testing

@Suite("The pages of orders", .inShop(), .timeLimit(.minutes(5)))
struct OrderPageTests {
    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    @Test func `A guest sees the orders of the session, and a visitor without one the form for a link`() async throws {
        #expect(try await visitor.get("/orders").heading == "Find your order")
        let id = try await visitor.buy().orderId()
        let list = try await visitor.get("/orders")
        #expect(list.heading == "Your orders" && list.links.contains("/orders/\(id)"))
        #expect(list.words.contains("1 product") && list.words.contains("€14.90"))
        // A link in a mail may name an order of another session.
        #expect(list.forms.contains { $0.action == "/orders/link" })
        #expect(try await WebVisitor(shop).get("/orders").heading == "Find your order")
    }

    @Test(.inShop([.stocked("cap", stock: 100)])) func `A long list has pages, the latest first`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        var numbers: [String] = []
        for _ in 0..<23 {
            // The ids of one millisecond have no order.
            shop.clock.advance(by: 1)
            numbers.insert(try await customer.buyNow().good().number, at: 0)
        }
        func shown(_ page: WebPage) -> [String] { numbers.filter { page.words.contains("Order \($0) ") } }
        let first = try await visitor.get("/orders")
        #expect(shown(first) == Array(numbers.prefix(20)))
        let next = try #require(first.links.first { $0.hasPrefix("/orders?cursor=") })
        let second = try await visitor.get(next)
        #expect(shown(second) == Array(numbers.suffix(3)) && second.links.contains("/orders"))
        #expect(!second.links.contains { $0.hasPrefix("/orders?cursor=") })
        #expect(try await visitor.get("/orders?cursor=made-up").status == 400)
    }

    @Test func `An order is found by its id and its number, by its buyer only`() async throws {
        let id = try await visitor.buy().orderId()
        let number = try #require(try await visitor.get("/orders/\(id)").heading.split(separator: " ").last)
        #expect(try await visitor.get("/orders/\(number)").status == 200)
        let other = WebVisitor(shop)
        try await other.add("scarf", 1, sku: "scarf-s")
        for path in [id, String(number), "ord_none"] {
            #expect(try await other.get("/orders/\(path)").status == 404)
            #expect(try await other.get("/orders/\(path)/live").status == 404)
        }
        #expect(try await other.forge("/orders/\(id)/cancel").status == 404)
        #expect(try await visitor.get("/orders/\(id)").words.contains("Paid"))
        #expect(try await WebVisitor(shop).get("/orders/\(id)").location?.hasPrefix("/sign-in?next=") == true)
    }

    @Test func `The page says how far the order is, and where the parcel can be followed`() async throws {
        let id = try await visitor.buy().orderId()
        let admin = try await shop.admin()
        let link = "https://carrier.example/0034"
        let sending = FulfilRequest(tracking: Tracking(carrier: "DHL", number: "0034", url: link))
        try await admin.call(Contract.fulfilOrder, sending, path: ["id": id]).good()
        let sent = try await visitor.get("/orders/\(id)")
        #expect(sent.words.contains("Your order is on its way to you.") && sent.links.contains(link))
        #expect(sent.words.contains("Shipped with DHL"))
        #expect(sent.attributes(of: "li").count { $0["class"]?.contains("is-done") == true } == 3)
        #expect(!sent.forms.contains { $0.action.hasSuffix("/cancel") })
        #expect(sent.attributes(of: "div").contains { $0["data-live"] != nil })
        try await admin.deliver(id).good()
        let delivered = try await visitor.get("/orders/\(id)")
        #expect(delivered.words.contains("Your order has arrived."))
        #expect(!delivered.attributes(of: "div").contains { $0["data-live"] != nil })
    }

    @Test func `A buyer cancels before the order is sent, once`() async throws {
        let page = try await visitor.buy()
        let order = "/orders/\(try page.orderId())"
        let cancelled = try await visitor.submit(page, action: order + "/cancel")
        #expect(cancelled.location == order && cancelled.words.contains("This order was cancelled."))
        #expect(cancelled.words.contains("Your order was cancelled. You will receive a full refund."))
        #expect(try await shop.available("cap") == 10)
        // The same form again repeats the answer.
        #expect(try await visitor.submit(page, action: order + "/cancel").location == order)
        #expect(try await visitor.get(order + "/cancel").location == order)
    }

    @Test func `A late cancellation says why it is refused`() async throws {
        let page = try await visitor.buy()
        let id = try page.orderId()
        try await shop.admin().fulfil(id).good()
        let refused = try await visitor.submit(page, action: "/orders/\(id)/cancel")
        #expect(refused.status == 409 && refused.words.contains("This order can no longer be cancelled"))
        #expect(refused.heading.hasPrefix("Order P-"))
    }

    @Test func `An order that has ended has no stream of events`() async throws {
        let id = try await visitor.buy().orderId()
        let admin = try await shop.admin()
        try await admin.fulfil(id).good()
        try await admin.deliver(id).good()
        let last = try await shop.rows("SELECT version FROM orders").first.map { try $0.integer(0) }
        #expect(try await visitor.get("/orders/\(id)/live?order=\(last ?? 0)").status == 204)
    }

    @Test func `A link shows the order without its forms, and no address has the token`() async throws {
        let order = try await shop.guest().buyNow().good()
        let token = shop.token(to: order.id)
        let shown = try await visitor.submit(
            at: "/orders", action: "/orders/link", ["token": "https://shop.example.com/orders#\(token) "])
        #expect(shown.status == 200 && shown.location == nil && shown.heading == "Order \(order.number)")
        #expect(shown.words.contains("Main Street 1") && !shown.text.contains(token))
        #expect(shown.header("Cache-Control") == "no-store")
        #expect(!shown.forms.contains { $0.action.hasPrefix("/orders/ord") })
        // The link is no session: the order's own address still asks for one.
        #expect(visitor.accessToken == nil)
        #expect(try await visitor.get("/orders/\(order.id)").status != 200)
        #expect(try await visitor.get("/orders/link").location == "/orders")
    }

    @Test func `A link of one's own order leads to its page`() async throws {
        let id = try await visitor.buy().orderId()
        let shown = try await visitor.submit(at: "/orders", action: "/orders/link", ["token": shop.token(to: id)])
        #expect(shown.location == "/orders/\(id)" && shown.forms.contains { $0.action == "/orders/\(id)/cancel" })
    }

    @Test func `A wrong or old link is refused with what to do`() async throws {
        let id = try await shop.guest().buyNow().good().id
        let wrong = try await visitor.submit(at: "/orders", action: "/orders/link", ["token": shop.token(to: id) + "A"])
        #expect(wrong.status == 422 && wrong.words.contains("This link is not valid"))
        let old = try await visitor.submit(wrong, action: "/orders/link", ["token": shop.token(to: id, seconds: -1)])
        #expect(old.status == 410 && old.words.contains("This link has expired."))
    }
}

@Suite("The pages of orders that are under way", .timeLimit(.minutes(5)))
struct LiveOrderPageTests {
    private static let beat: @Sendable (inout ServerConfiguration) -> Void = { $0.rideHeartbeat = .milliseconds(50) }

    private let shop = TestShop.current

    @Test(.inShop(setup: .live, configure: beat))
    func `The page receives an event when the order is sent, and not before`() async throws {
        let visitor = WebVisitor(shop)
        let page = try await visitor.buy()
        let events = try await LiveEventStream<JSON>(of: page, visitor, at: shop)
        #expect(events.head.lowercased().contains("content-type: text/event-stream"))
        // A heartbeat comes; the page shows the current status already.
        let first = try #require(try await events.next())
        #expect(first.name == nil)
        try await shop.admin().fulfil(try page.orderId()).good()
        #expect(try await events.nextUpdate()?.name == "status")
        try await events.hangUp()
    }

    @Test(.inCity(.usual, setup: .live, configure: beat))
    func `The map shows the kangaroo, and its moves arrive in the map's units`() async throws {
        try await shop.add(.calm(3))
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        let order = try await customer.orderByKangaroo()
        let (address, ride) = ("/orders/\(order.id)", try #require(order.rideId))
        #expect(try await visitor.get(address).words.contains("We are looking for a free kangaroo."))
        try await shop.go(ride, to: .inProgress)
        let page = try await visitor.get(address)
        #expect(page.words.contains("is bringing your order.") && page.words.contains("Arrives in"))
        let svg = try #require(page.attributes(of: "svg").first { $0["class"] == "map" })
        #expect(svg["viewbox"] ?? svg["viewBox"] == "0 0 1000 600")
        // The label of the lower place is below it, and that of the other one above.
        let places = page.attributes(of: "g").prefix(2).compactMap { $0["transform"]?.dropLast() }
        let heights = places.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        try #require(heights.count == 2)
        let labels = page.attributes(of: "text").map { $0["class"] == "is-below" }
        #expect(labels == [heights[0] > heights[1], heights[1] > heights[0]])
        let events = try await LiveEventStream<JSON>(of: page, visitor, at: shop)
        let first = try await events.nextSpot()
        shop.clock.advance(by: 5)
        let second = try await events.nextSpot()
        #expect(first.x != second.x || first.y != second.y)
        for spot in [first, second] { #expect((0...1_000).contains(spot.x) && (0...600).contains(spot.y)) }
        try await shop.go(ride, to: .completed)
        _ = try #require(try await events.nextUpdate("status"))
        try await events.hangUp()
        #expect(try await !visitor.get(address).text.contains("data-courier"))
    }

    @Test(.inCity(.usual)) func `Without a kangaroo the buyer chooses another delivery`() async throws {
        let (customer, visitor) = try await shop.customer().atPages(of: shop)
        let place = try #require(Gazetteer.sydney.first { $0.name == "Bondi Beach" })
        let order = try await customer.orderByKangaroo(to: .at(place.location))
        try await shop.go(try #require(order.rideId), to: .noDriversAvailable)
        let address = "/orders/\(order.id)"
        let page = try await visitor.get(address)
        #expect(page.words.contains("This delivery failed. No kangaroo is available."))
        #expect(page.words.contains("Handover at Bondi Beach"))
        let changed = try await visitor.submit(page, action: address + "/shipping", ["methodId": "standard"])
        #expect(changed.location == address && changed.words.contains("The delivery method was changed."))
        #expect(changed.words.contains("Standard") && !changed.words.contains("No kangaroo is available."))
        #expect(!changed.words.contains("Handover"))
    }
}

extension LiveEventStream<JSON> {
    /// The events that the page of an order receives.
    fileprivate init(of page: WebPage, _ visitor: WebVisitor, at shop: TestShop) async throws {
        let path = try #require(page.attributes(of: "div").compactMap { $0["data-live"] }.first)
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(visitor.cookieHeader)\r\n\r\n"
        try await self.init(head, port: shop.client.port)
    }

    /// The next position on the map.
    fileprivate func nextSpot() async throws -> (x: Int64, y: Int64) {
        let position = try #require(try await nextUpdate("position")?.update)
        guard case (.integer(let x)?, .integer(let y)?) = (position["x"], position["y"]) else {
            throw WebMistake("\(position) is no position")
        }
        return (x, y)
    }
}
