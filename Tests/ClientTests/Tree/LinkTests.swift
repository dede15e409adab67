import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import PouchTesting
import Testing

/// Links to pages, in both directions.
struct LinkTests {
    static let pages: [ShopPage] = [
        .home, .cart, .profile, .signIn, .register, .orders, .order(id: "ord_1"), .product(handle: "rosa"),
        .product(handle: "blåbær & cream?=100%+#;"), .product(handle: "日本"), .product(handle: "a.b..c"),
        .listing(ProductQuery()), .listing(ProductQuery(search: "red hat + scarf & 50%")),
        .listing(
            ProductQuery(
                season: "s17", theme: "meadow", category: "hats", tag: "new",
                options: ["Colour": ["Navy", "Off-White"], "Size & Fit": ["M"]], minPrice: Money(0, .eur),
                maxPrice: Money(.max, .eur),
                inStock: true, search: "hat", sort: .relevance)),
        .listing(ProductQuery(inStock: false, sort: .priceDescending)),
        .app(["loyalty"]), .app(["loyalty", "points & more"]),
    ]
    static let shops = [
        "https://shop.example", "https://shop.example/", "http://127.0.0.1:8080/a/b", "https://s.example/ü%20x/",
    ]

    @Test(arguments: pages)
    func `a page has the same link in both directions, with the scheme and for each shop`(_ page: ShopPage) throws {
        let link = try #require(page.url())
        #expect(link.scheme == "pouch")
        #expect(ShopPage(url: link) == page)
        for shop in try Self.shops.map({ try #require(URL(string: $0)) }) {
            let link = try #require(page.url(of: shop))
            #expect(link.scheme == shop.scheme && link.host() == shop.host())
            #expect(ShopPage(url: link, of: shop) == page, "\(link)")
            #expect(ShopPage(url: link) == nil)
        }
    }

    @Test func `links read as a person would write them`() throws {
        #expect(try #require(ShopPage.order(id: "ord_1").url()).absoluteString == "pouch://orders/ord_1")
        let shop = try #require(URL(string: "https://shop.example/at"))
        let hats = ShopPage.listing(ProductQuery(category: "hats", search: "red"))
        #expect(hats.url(of: shop)?.absoluteString == "https://shop.example/at/products?category=hats&q=red")
        #expect(ShopPage.home.url(of: shop)?.absoluteString == "https://shop.example/at")
        for (text, page) in [
            ("https://SHOP.example:443/at/cart/", ShopPage.cart), ("https://shop.example/at?utm_source=mail", .home),
            (
                "https://shop.example/at/products?q=red+hat&utm_campaign=a&utm_campaign=b",
                .listing(.init(search: "red hat"))
            ),
            ("POUCH://Cart", .cart), ("pouch://products/", .listing(ProductQuery())),
        ] {
            #expect(ShopPage(url: try #require(URL(string: text)), of: shop) == page, "\(text)")
        }
    }

    @Test(arguments: [
        "https://evil.example/cart", "http://shop.example/cart", "https://shop.example:8443/cart",
        "https://shop.example.evil.example/cart", "https://user:secret@shop.example/cart",
        "https://shop.example@evil.example/cart", "https://shop.example/unknown", "https://shop.example/cart/1",
        "https://shop.example//cart", "https://shop.example/products/a/b", "https://shop.example/products/..",
        "https://shop.example/products/%2E%2E", "https://shop.example/products/a%2Fb",
        "https://shop.example/orders/%00", "https://shop.example/orders/a%0Ab", "https://shop.example/orders/%FF",
        "https://shop.example/products?sort=best", "https://shop.example/products?sort=relevance",
        "https://shop.example/products?minPrice=-1&currency=EUR",
        "https://shop.example/products?maxPrice=9223372036854775808&currency=EUR",
        "https://shop.example/products?minPrice=100",
        "https://shop.example/products?inStock=maybe", "https://shop.example/products?q=a&q=b",
        "https://shop.example/products?q", "https://shop.example/products?q=", "https://shop.example/products?q=%00",
        "https://shop.example/products?option.Size=%FF", "https://shop.example/cart#top", "pouch://", "pouch:cart",
        "pouch:///cart", "pouch://cart:80", "pouch://user@cart", "pouch://evil.example/cart", "pouch://home/x",
        "pouch://app", "pouch://app/", "pouch://app/loyalty/..", "pouch://app//loyalty", "https://shop.example/app",
        "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/cart", "cart", "",
    ])
    func `a URL that is not a link of the shop is no page`(_ text: String) throws {
        guard let url = URL(string: text) else { return }
        #expect(ShopPage(url: url, of: URL(string: "https://shop.example")) == nil)
    }

    @Test func `a link and its texts and options have bounds`() throws {
        func page(_ text: String) throws -> ShopPage? { ShopPage(url: try #require(URL(string: text))) }
        let longest = String(repeating: "a", count: 200)
        #expect(try page("pouch://orders/" + longest) == .order(id: longest))
        #expect(try page("pouch://orders/" + longest + "a") == nil)
        #expect(try page("pouch://products?q=" + longest + "a") == nil)
        let options = (0..<50).map { "option.a=\($0)" }.joined(separator: "&")
        #expect(try page("pouch://products?" + options) != nil)
        #expect(try page("pouch://products?option.b=1&" + options) == nil)
        let ignored = String(repeating: "b", count: ShopPage.longestLink)
        #expect(try page("pouch://cart?a=" + ignored) == nil)
    }

    @Test(arguments: [
        ShopPage.listing(ProductQuery(search: String(repeating: "a", count: 201))), .product(handle: "a/b"),
        .product(handle: ""), .order(id: "a\nb"), .app([]), .app([""]), .app([".."]),
        .app(Array(repeating: String(repeating: "a", count: 200), count: 11)),
        .listing(ProductQuery(options: ["a": (0...50).map { "\($0)" }])),
    ])
    func `a page out of these bounds has no link`(_ page: ShopPage) {
        #expect(page.url() == nil && page.url(of: URL(string: "https://shop.example")) == nil)
    }

    @Test func `the position in a list and an option without values are not part of a link`() throws {
        let page = ShopPage.listing(
            ProductQuery(category: "hats", options: ["Size": []], facets: true, limit: 9, cursor: "c"))
        #expect(try #require(page.url()).absoluteString == "pouch://products?category=hats")
    }

    @Test func `stored pages come back as far as they can be read`() throws {
        #expect([ShopPage](json: Self.pages.json) == Self.pages)
        let stored = #"["pouch://home", 1, "pouch://nowhere", null, ["pouch://home"], "", "pouch://cart"]"#
        #expect([ShopPage](json: Data(stored.utf8)) == [.home, .cart])
        for text in ["", "nonsense", "{}", #""pouch://cart""#] { #expect([ShopPage](json: Data(text.utf8)) == []) }
        let unreadable = ShopPage.product(handle: "a/b")
        #expect([ShopPage](json: [.home, unreadable, .cart].json) == [.home, .cart])
    }

    @Test func `a page is coded as its link, and other texts are refused`() throws {
        let coded = try JSONEncoder().encode(Self.pages)
        #expect(try JSONDecoder().decode([ShopPage].self, from: coded) == Self.pages)
        for text in [#"["pouch://nowhere"]"#, #"["https://shop.example/cart"]"#, #"[1]"#, #"[""]"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([ShopPage].self, from: Data(text.utf8)) }
        }
    }

    @Test func `a push notification names an order or a link, and has bounds`() throws {
        func push(_ text: String) -> PushMessage? {
            PushMessage(json: Data(text.utf8), of: URL(string: "https://shop.example"))
        }
        #expect(push(#"{"order": "ord_1"}"#) == PushMessage(page: .order(id: "ord_1")))
        #expect(
            push(#"{"aps": {"alert": {"title": "P", "body": "It\nis\u2028here.\u0007"}}, "order": "ord_1"}"#)
                == PushMessage(page: .order(id: "ord_1"), text: "It is here."))
        #expect(
            push(#"{"aps": {"alert": "Hats"}, "url": "https://shop.example/products?category=hats"}"#)
                == PushMessage(page: .listing(ProductQuery(category: "hats")), text: "Hats"))
        #expect(push(#"{"url": "pouch://cart", "text": " "}"#) == PushMessage(page: .cart))
        let long = String(repeating: "x", count: 1000)
        #expect(push(#"{"url": "pouch://cart", "text": "\#(long)"}"#)?.text?.count == 300)
        for text in [
            #"{"order": 1}"#, #"{"order": ""}"#, #"{"order": "a/b"}"#, #"{"order": "\#(long)"}"#, #"{"url": "x"}"#,
            #"{"url": "https://evil.example/cart"}"#, #"{"text": "hello"}"#, "[]", "", "{", "null",
            #"{"url": "pouch://cart", "a": "\#(String(repeating: "x", count: PushMessage.longestPayload))"}"#,
        ] {
            #expect(push(text) == nil, "\(text.prefix(60))")
        }
    }
}

/// Pages from outside in the tree: links, push notifications, and those of an earlier run.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OpenedPageTests {
    @Test func `a link opens its page, also before the managers exist, and another URL does nothing`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let link = try #require(URL(string: "https://shop.example/orders/ord_1"))
        let shop = URL(string: "https://shop.example")
        let opened = Task { try await test.app.open(link, of: shop) }
        await Task.yield()
        test.app.dependency = AppDependency(test.client)
        #expect(try await opened.value)
        try await test.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(try await test.app.open(link) == false)
        #expect(test.surface.presented?.screens.count == 1)
    }

    @Test func `a push notification opens its page when tapped, and is a notice otherwise`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self) { $0.status.visitor != .signedOut }
        let push = PushMessage(payload: ["order": "ord_1", "text": "On its way."])
        #expect(try await test.app.receivePush(push, isTapped: false) == .shown(.order(id: "ord_1")))
        #expect(home.notices == [Notice("On its way.", page: .order(id: "ord_1"))])
        #expect(test.surface.presented == nil)
        #expect(try await test.app.receivePush(push, isTapped: true) == .opened(.order(id: "ord_1")))
        try await test.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(try await test.app.receivePush(PushMessage(payload: ["a": "b"]), isTapped: true) == .ignored)
        #expect(test.surface.presented?.screens.count == 1 && home.notices.count == 1)
    }

    @Test func `an app's own section of notifications takes over push notifications, or passes them on`() async throws {
        final class Mailbox: Coordinator<AppDependency> {
            private(set) var shown: [PushMessage] = []

            override func registerHandlers() {
                super.registerHandlers()
                handle(PushMessage.self) { mailbox, push in
                    guard push.page == .cart else { return try await mailbox.send(push) }
                    mailbox.shown.append(push)
                }
            }
        }
        let test = try ShopUnderTest(.ada, isReady: false)
        var sections = ShopSections()
        let mailbox = Mailbox()
        sections.notifications = { _, _, _ in mailbox }
        let (app, surface) = test.startApp(sections: sections)
        try await eventually { mailbox.isStarted }
        let push = PushMessage(page: .cart, text: "Hats")
        try await app.receivePush(push, isTapped: false)
        #expect(mailbox.shown == [push])
        let home = try #require(surface.screens.last as? RecordingHomeScreen)
        #expect(home.notices.isEmpty)
        try await app.receivePush(PushMessage(page: .orders, text: "Sent"), isTapped: false)
        #expect(mailbox.shown == [push])
        #expect(home.notices == [Notice("Sent", page: .orders)])
        mailbox.stop()
        try await app.receivePush(push, isTapped: false)
        #expect(home.notices.count == 2)
    }

    @Test func `the pages of an earlier run are opened again, one over the other`() async throws {
        let test = try ShopUnderTest(.ada)
        test.shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let home = try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await home.send(ShopPage.listing(ProductQuery(category: "hats", facets: true)))
        try await home.send(ShopPage.product(handle: "rosa"))
        try await home.send(ShopPage.cart)
        try await test.top(RecordingCartScreen.self) { $0.cart.value != nil }.send(ShopPage.orders)
        try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil }.send(ShopPage.order(id: "ord_1"))
        let pages: [ShopPage] = [
            .home, .listing(ProductQuery(category: "hats")), .product(handle: "rosa"), .cart, .orders,
            .order(id: "ord_1"),
        ]
        #expect(test.app.pages == pages)
        let stored = test.app.pages.json
        test.app.stop()

        let next = try ShopUnderTest(.ada, isReady: false, shop: test.shop)
        let restoring = Task { await next.app.restore([ShopPage](json: stored)) }
        try await next.top(RecordingCartScreen.self)
        // An app that ends now returns to all of them.
        #expect(next.app.pages == pages)
        next.app.dependency = AppDependency(next.client)
        await restoring.value
        #expect(next.app.pages == pages)
        try await next.top(RecordingOrderScreen.self) { $0.order.value?.id == "ord_1" }
        #expect(next.kinds == ["Home", "Listing", "Product", "Cart"])
        next.surface.presented?.goBack(2)
        try await next.top(RecordingCartScreen.self) { $0.cart.value != nil }
    }

    @Test func `a restored page that needs a session leads to signing in, and from there to the page`() async throws {
        let test = try ShopUnderTest()
        await test.app.restore([.home, .orders, .order(id: "ord_1")])
        try await test.top(RecordingSignInScreen.self)
        #expect(test.surface.presented?.screens.count == 1)
        #expect(test.app.pages == [.home])
        try await test.signIn()
        try await test.top(RecordingOrdersScreen.self) { $0.orders.value != nil }
    }

    @Test func `restoring ends once the user has gone elsewhere, and has a bound`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        let restoring = Task { await test.app.restore([.home, .product(handle: "rosa"), .orders, .cart]) }
        try await test.top(RecordingProductScreen.self)
        try await home.send(ShopPage.listing(ProductQuery()))
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .listing(ProductQuery())])
        test.app.dependency = AppDependency(test.client)
        await restoring.value
        #expect(!test.app.pages.contains(.cart))
    }

    @Test func `pages are restored once, also if that is asked for twice`() async throws {
        let test = try ShopUnderTest(.ada, isReady: false)
        let first = Task { await test.app.restore([.home, .product(handle: "rosa"), .orders]) }
        try await test.top(RecordingProductScreen.self)
        await test.app.restore([.home, .cart])
        test.app.dependency = AppDependency(test.client)
        await first.value
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .orders])
    }

    @Test func `of many pages the last are restored, with the one that the user saw`() async throws {
        let test = try ShopUnderTest()
        await test.app.restore(Array(repeating: .product(handle: "rosa"), count: 100) + [.cart])
        #expect(test.app.pages.count == 33 && test.app.pages.last == .cart)
    }

    @Test func `a page that cannot be linked or is no longer offered is left out`() async throws {
        let test = try ShopUnderTest()
        let home = try await test.top(RecordingHomeScreen.self)
        try await home.send(ShopPage.listing(ProductQuery(search: String(repeating: "a", count: 201))))
        try await home.send(ShopPage.cart)
        #expect(test.app.pages == [.home, .cart])
        let next = try ShopUnderTest()
        await next.app.restore([.home, .product(handle: "rosa"), .app(["loyalty"]), .cart])
        #expect(next.app.pages == [.home, .product(handle: "rosa"), .cart])
    }

    /// The shop with its cart in a tab of its own.
    private struct Tabs {
        let bar: RecordingGroup
        let group: NavigationGroup
        let app: AppCoordinator

        @MainActor
        init(_ test: ShopUnderTest) {
            bar = RecordingGroup(2, test.record)
            group = NavigationGroup(on: bar)
            var sections = ShopSections()
            sections.cart = { [stack = group.stacks[1]] in CartCoordinator(on: stack, screens: $1) }
            app = AppCoordinator(on: group.stacks[0], screens: RecordingScreens(test.record), sections: sections)
            app.dependency = AppDependency(test.client)
            app.start()
        }
    }

    @Test(arguments: [[], [ShopPage.product(handle: "rosa")]])
    func `with tabs, the page that the user saw is on top again`(_ opened: [ShopPage]) async throws {
        let test = try ShopUnderTest(isReady: false)
        let first = Tabs(test)
        for page in opened { try await first.app.open(page) }
        try await first.app.open(.cart)
        #expect(first.app.pages == [.home] + opened + [.cart])
        first.bar.userShows([0])
        #expect(first.app.pages == [.cart, .home] + opened)
        let next = Tabs(test)
        await next.app.restore(first.app.pages)
        #expect(next.bar.visible == [0] && next.bar.recorded[1].screens.last is RecordingCartScreen)
        #expect(next.app.pages == first.app.pages)
    }

    @Test func `forms are not among the pages to restore`() async throws {
        let test = try ShopUnderTest()
        let payment = try await test.goToPayment()
        #expect(test.app.pages == [.home, .product(handle: "rosa"), .cart])
        try await payment.pay()
        try await test.top(RecordingConfirmationScreen.self)
        #expect(test.app.pages == [.home, .product(handle: "rosa")])
    }
}
