import Foundation
import PouchApp
import PouchClient
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
