import ServerTesting
import Testing

@testable import PouchWeb

@Suite("The frame of the administration", .inShop(), .timeLimit(.minutes(5)))
struct AdminFrameTests {
    private let shop = TestShop.current

    @Test func `Guests and customers are asked to sign in, and see nothing`() async throws {
        let order = "/admin/orders/\(try await shop.guest().order().id)"
        let product = "/admin/products/\(try await shop.admin().product("cap").id)"
        let addresses =
            AdminPages.lists + [
                "/admin", "/admin/orders", order, order + "/invoice", order + "/packing-slip", "/admin/customers",
                "/admin/customers/x", "/admin/search?q=ada", "/admin/shortcuts", "/admin/exports/orders",
                "/admin/exports/customers", "/admin/exports/stock", "/admin/exports/products", "/admin/products",
                product, "/admin/stock", "/admin/categories", "/admin/import", "/admin/front-page",
                "/admin/second-factor",
            ]
        for visitor in [WebVisitor(shop), try await shop.visitor()] {
            for address in addresses { #expect(try await visitor.get(address).asksForStaff, "\(address)") }
        }
    }

    @Test func `The sign-in leads to the requested page`() async throws {
        _ = try await shop.staff(.support)
        let visitor = WebVisitor(shop)
        let asked = try await visitor.open("/admin/orders?status=paid")
        #expect(asked.heading == "Sign in to the administration")
        let page = try await visitor.submit(asked, action: "/admin/sign-in", WebVisitor.login("support@example.com"))
        #expect(page.location == "/admin/orders?status=paid" && page.heading == "Orders" && page.isInFrame)
    }

    @Test func `A customer's password opens nothing here, leaves no session, and takes no guest's cart`() async throws {
        _ = try await shop.customer()
        let visitor = WebVisitor(shop)
        let page = try await visitor.submit(at: "/admin/sign-in", WebVisitor.login())
        #expect(page.status == 403 && page.words.contains("not a staff account") && visitor.accessToken == nil)
        #expect(try await visitor.get("/account").status == 303)
        try await visitor.add("cap", 2)
        #expect(try await visitor.submit(at: "/admin/sign-in", WebVisitor.login()).status == 403)
        #expect(try await visitor.get("/cart").quantity(of: "cap") == "2")
        #expect(try await shop.signIn().cart().lines.isEmpty)
    }

    @Test func `With a second factor the page asks for its code`() async throws {
        let (secret, _) = try await shop.enrol(try await shop.staff(.manager))
        shop.clock.advance(by: 60)
        let visitor = WebVisitor(shop)
        let asked = try await visitor.submit(at: "/admin/sign-in", WebVisitor.login("manager@example.com"))
        #expect(asked.words.contains("enter the code") && visitor.accessToken == nil)
        func send(_ code: String, _ page: WebPage) async throws -> WebPage {
            try await visitor.submit(page, action: "/admin/sign-in", ["password": .password, "code": code])
        }
        let wrong = try await send("000000", asked)
        #expect(wrong.status >= 400 && visitor.accessToken == nil)
        let page = try await send(try shop.code(secret), wrong)
        #expect(page.heading == "Today" && page.isInFrame)
    }

    @Test(arguments: [("/account", "/sign-out", "/sign-in"), ("/admin", "/admin/sign-out", "/admin/sign-in")])
    func `Signing out ends the session and not just cookies`(start: String, form: String, signIn: String) async throws {
        let caller = try await start == "/admin" ? shop.staff(.owner) : shop.customer()
        let visitor = WebVisitor(shop, session: caller.session)
        let page = try await visitor.submit(at: start, action: form)
        #expect(page.location == signIn && page.words.contains("You are signed out."))
        #expect(visitor.accessToken == nil && visitor.cookies["pouch_refresh"] == nil)
        #expect(try await visitor.get(start).location?.hasPrefix(signIn) == true)
        try await caller.profile().problem(.unauthenticated)
    }

    @Test func `A member who is removed loses access at the next request`() async throws {
        let (support, visitor) = try await shop.staff(.support).atPages(of: shop)
        #expect(try await visitor.get("/admin").status == 200)
        try await shop.admin().call(Contract.removeStaff, path: ["id": support.accountId]).good()
        #expect(try await visitor.get("/admin").asksForStaff)
    }

    @Test func `The navigation has what the role may see, and figures are for readers of reports`() async throws {
        let owner = try await shop.member(.owner).get("/admin")
        #expect(owner.links.contains("/admin/staff") && owner.links.contains("/admin/webhooks"))
        #expect(owner.words.contains("Average order"))
        let support = try await shop.member(.support)
        let page = try await support.get("/admin")
        #expect(!page.links.contains("/admin/staff") && !page.links.contains("/admin/webhooks"))
        #expect(page.links.contains("/admin/orders") && !page.words.contains("Average order"))
        #expect(page.links.contains("/admin/second-factor") && page.links.contains("/account"))
        let account = try await support.get("/account")
        #expect(account.status == 200 && account.links.contains("/account/password"))
        let refused = try await support.get("/admin/webhooks")
        #expect(refused.status == 403 && refused.isInFrame)
        #expect(try await shop.member(.readOnly).get("/admin").words.contains("Average order"))
    }

    @Test func `Only members see a problem page within the administration's frame`() async throws {
        let visitor = try await shop.member(.support)
        for address in ["/admin/orders/P-99999", "/admin/nothing", "/admin/orders/x/y/z"] {
            let page = try await visitor.get(address)
            #expect(page.status == 404 && page.isInFrame, "\(address)")
        }
        let unknown = try await WebVisitor(shop).get("/admin/nothing")
        #expect(unknown.status == 404 && !unknown.isInFrame && !unknown.links.contains("/admin/staff"))
    }

    @Test func `The address of each form leads to a page, with the form's order and query`() async throws {
        let order = try await shop.guest().order("cap", 2)
        let owner = try await shop.member(.owner)
        let member = try await shop.staff(.manager, "max@example.com")
        let hook = "/admin/webhooks/" + (try await member.addWebhook("https://example.com/a").good().webhook.id)
        let path = "/admin/orders/\(order.id)"
        let refused = try await owner.refund(order, "amount", ["amount": "999"])
        #expect(refused.status >= 400 && refused.address == path + "/refund")
        for (address, location) in [
            (refused.address, path), (path + "/notes", path), (hook + "/secret", hook),
            ("/admin/variants/scarf-m?low=true&threshold=2", "/admin/stock?low=true&threshold=2"),
            ("/admin/products/bulk?status=draft", "/admin/products?status=draft"),
            ("/admin/pictures", "/admin/products"), ("/admin/seasons", "/admin/categories"),
            ("/admin/webhook-deliveries/dlv_1/redeliver", "/admin/webhooks"),
            ("/admin/second-factor/enable", "/admin/second-factor"), ("/admin/sign-out", "/admin/sign-in"),
        ] {
            let answer = try await owner.get(address)
            #expect(answer.status == 303 && answer.location == location, "\(address)")
        }
        // A path with a page of its own keeps it.
        #expect(try await owner.get("/admin/discounts").heading == "Discounts")
        let starts = AdminPages.lists + [path, hook, "/admin/products", "/admin/stock", "/admin/categories"]
        var actions: Set<String> = []
        for page in try await owner.adminPages(from: starts, limit: 60) { actions.formUnion(page.changes) }
        #expect(actions.isSuperset(of: [path + "/refund", hook + "/delete", "/admin/categories/hats"]))
        for action in actions.sorted() {
            let page = try await owner.open(action)
            #expect(page.status == 200 && page.isInFrame, "\(action)")
        }
        // A member without the permission gets a page that says so.
        let stranger = WebVisitor(shop)
        #expect(try await stranger.get(refused.address).location == path)
        #expect(try await stranger.get("/sign-out?lang=de").location == "/sign-in?lang=de")
        #expect(try await stranger.get("/account/addresses/adr_1/delete").location == "/account/addresses")
    }

    @Test func `A forged notice is not shown`() async throws {
        let visitor = try await shop.member(.owner)
        let notice = #"{"text":"Call 123","isBad":false,"undo":{"action":"/admin/staff","fields":[]}}"#
        let forged = Data(notice.utf8).base64URL + "." + Data(repeating: 0, count: 16).base64URL
        visitor.setCookie("pouch_notice", forged)
        let page = try await visitor.get("/admin")
        #expect(page.status == 200 && !page.words.contains("Call 123") && page.changes.isEmpty)
        for text in [forged, notice, "signed-out"] {
            visitor.setCookie("pouch_notice", text)
            let cart = try await visitor.get("/cart")
            #expect(cart.status == 200 && !cart.words.contains("Call 123") && !cart.words.contains("signed out"))
        }
    }

    @Test func `A notice is shown once, on the next page in either part of the site`() async throws {
        let visitor = try await shop.member(.owner)
        for (next, other) in [("/cart", "/admin"), ("/admin", "/cart")] {
            let code = next == "/cart" ? "EARLY" : "LATE"
            _ = try await visitor.submit(
                at: "/admin/discounts/new", action: "/admin/discounts", ["code": code, "kind": "freeShipping"],
                following: false)
            let pages = try await [visitor.get(next), visitor.get(next), visitor.get(other)]
            let told = pages.map { $0.words.contains("The discount \(code) was created.") }
            #expect(told == [true, false, false], "\(next)")
        }
    }

    @Test func `One search field finds orders by number, people by name, and products`() async throws {
        let order = try await shop.customer().order()
        let visitor = try await shop.member(.support)
        let number = String(order.number.dropFirst(2))
        #expect(try await visitor.get("/admin/search?q=\(number)").location == "/admin/orders/\(order.id)")
        let found = try await visitor.get("/admin/search?q=ada")
        #expect(found.links.count { $0 == "/admin/orders/\(order.id)" } == 1)
        #expect(found.links.count { $0.hasPrefix("/admin/customers/") } == 1)
        #expect(try await visitor.get("/admin/search?q=scarf").links.contains { $0.hasPrefix("/admin/products/") })
        #expect(try await visitor.get("/admin/search?q=zzz").words.contains("No results."))
        let blank = try await visitor.get("/admin/search").words
        #expect(blank.contains("Search for an order number, customer or product."))
    }

    @Test func `A search for orders accepts its days in either order`() async throws {
        let order = try await shop.guest().order()
        let day = order.createdAt.formatted(.iso8601.year().month().day())
        let visitor = try await shop.member(.support)
        for days in ["from=2000-01-01&until=\(day)", "from=\(day)&until=2000-01-01"] {
            let page = try await visitor.get("/admin/orders?" + days)
            #expect(page.status == 200 && page.links.contains("/admin/orders/\(order.id)"), "\(days)")
        }
        let none = try await visitor.get("/admin/orders?from=2000-01-02&until=2000-01-01")
        #expect(none.status == 200 && !none.links.contains("/admin/orders/\(order.id)"))
    }

    @Test func `The export of the orders has those of the page, and the same bytes as that of the API`() async throws {
        let (member, visitor) = try await shop.staff(.support).atPages(of: shop)
        let guest = try await shop.guest()
        let orders = [try await guest.order(), try await guest.order()]
        try await member.fulfil(orders[0].id).good()
        let page = try await visitor.get("/admin/orders?unsent=true")
        #expect(page.words.contains(orders[1].number) && !page.words.contains(orders[0].number))
        let file = try await visitor.get(#require(page.links.first { $0.hasPrefix("/admin/exports/orders") }))
        #expect(file.header("Content-Disposition")?.contains("orders.csv") == true)
        #expect(file.text.contains(orders[1].number) && !file.text.contains(orders[0].number))
        #expect(try await member.send("GET", "/v1/admin/exports/orders?unsent=true").body == file.body)
    }

    @Test(.inShop([]))
    func `The start page of a shop without products has the first steps, and no scale in charts`() async throws {
        let page = try await shop.member(.owner).get("/admin")
        #expect(page.words.contains("The shop has no products yet."))
        let steps = ["/admin/categories", "/admin/products/new", "/admin/import"]
        #expect(Set(steps).isSubset(of: page.links) && !page.words.contains("Nothing to do"))
        #expect(page.attributes(of: "figure").count == 2 && !page.words.contains("€0.01"))
        #expect(try await !shop.member(.readOnly).get("/admin").links.contains("/admin/products/new"))
    }

    @Test func `The start page counts failed mails and deliveries, also while many mails wait`() async throws {
        let failed = try await shop.queue()
        _ = try await shop.rows(
            "UPDATE mails SET due_at = NULL, failed_at = created_at WHERE id = '\(failed)' RETURNING id")
        shop.clock.advance(by: 1)
        for _ in 0...50 { try await shop.queue() }
        _ = try await shop.rows(
            """
            INSERT INTO webhook_deliveries
                (id, webhook_id, event_id, position, type, object_id, status, attempts, created_at)
            SELECT 'del_' || id, 'whk_' || id, id, 1, 'order.paid', 'ord_1', 'failed', '[]', created_at
            FROM mails ORDER BY id LIMIT 2 RETURNING id
            """)
        let page = try await shop.member(.owner).get("/admin")
        #expect(page.words.contains("1 E-mails not delivered in the last 7 days"))
        #expect(page.words.contains("2 Webhook deliveries failed"))
    }

    @Test func `The start page of a shop with products shows the open tasks and the sales`() async throws {
        let guest = try await shop.guest()
        let sent = try await guest.order("cap", 2)
        _ = try await guest.order("cap")
        let (member, visitor) = try await shop.staff(.owner).atPages(of: shop)
        try await member.fulfil(sent.id).good()
        // The figures are those up to now.
        shop.clock.advance(by: 1)
        let page = try await visitor.get("/admin")
        #expect(!page.words.contains("The shop has no products yet.") && !page.links.contains("/admin/products/new"))
        #expect(page.words.contains("1 Orders to send oldest from"))
        // 24.90 and 14.90, and half of it for each.
        #expect(page.words.contains("Today 2 €39.80 €19.90 €0.00"))
        #expect(page.words.contains("7 days 2 €39.80 €19.90 €0.00 30 days 2 €39.80 €19.90 €0.00"))
        #expect(page.words.contains("cap 3 €30.00") && page.words.contains("Orders 2 2 1 0"))
        let line = try #require(page.attributes(of: "polyline").first?["points"])
        // 39.80 on a scale to 40.
        #expect(line.hasPrefix("0,150 20.7,150 41.4,150 ") && line.hasSuffix(" 579.3,150 600,3.7"), "\(line)")
        #expect(page.attributes(of: "rect").count == 30)
    }
}

@Suite("The charts of the administration")
struct DayChartTests {
    private func marks(_ values: [Int64]) -> [String] {
        let days = values.map { DayChart.Day(label: "1 May", value: $0) }
        return DayChart(id: "c", title: "Chart", total: "", days: days, text: { String($0) }).bars.scale
    }

    @Test func `The marks of the scale are round, and the highest day fits`() {
        let tops: [(most: Int64, top: Int64)] = [
            (1, 2), (3, 4), (10, 10), (11, 20), (364_675, 400_000), (900_001, 1_000_000),
            (.max, 1_000_000_000_000_000_000),
        ]
        for (most, top) in tops { #expect(marks([0, most, -5]) == [String(top), String(top / 2), "0"], "\(most)") }
    }

    @Test func `Days without sales, or with refunds alone, have no scale`() {
        #expect(marks([0, 0]) == [] && marks([-7, .min]) == [])
    }
}
