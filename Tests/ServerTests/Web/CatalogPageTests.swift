import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Pages of the catalogue", .inShop([]))
struct CatalogPageTests {
    static let feed: [FeedRecord] = [
        .season(Season(id: "72", name: "Autumn")), .theme(Theme(id: "721", name: "Ember", seasonId: "72")),
        .product(
            FeedProduct(
                line: 1, handle: "jumper", styleCode: "72101", name: "Spruce Jumper",
                description: "A yoke of stars.\n\nKnitted in Portugal.", seasonId: "72", themeId: "721",
                categoryName: "Jumpers", tags: ["wool"], materials: ["Merino"],
                options: [
                    ProductOption(name: "Colour", values: ["Forest", "Navy"]),
                    ProductOption(name: "Size", values: ["S", "M"]),
                ],
                images: [
                    ProductImage(url: "/assets/a.svg", alt: "Spruce Jumper in navy"),
                    ProductImage(url: "https://pictures.example/b.jpg", alt: "Spruce Jumper in forest"),
                ],
                variants: [
                    .stocked("j-fs", price: 16_800, stock: 0, options: ["Colour": "Forest", "Size": "S"]),
                    .stocked("j-fm", price: 16_800, stock: 9, options: ["Colour": "Forest", "Size": "M"]),
                    FeedVariant(
                        sku: "j-nm", options: ["Colour": "Navy", "Size": "M"], price: Money(14_900, .eur),
                        compareAtPrice: Money(19_800, .eur), stock: 2),
                ])),
        .product(.stocked("cap", name: "Pine Cap", price: 1_000, stock: 10, category: "Hats", season: "72")),
        .product(.stocked("belt", name: "Belt", price: 3_050, stock: 0, category: "Belts")),
        .product(.stocked("hat", name: "Straw Hat", price: 2_000, stock: 1, category: "Hats")),
    ]

    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    init() async throws {
        try await shop.feed(Self.feed)
        shop.clock.advance(by: 1)
    }

    @Test func `A product without a picture has an empty place for one, and no gallery`() async throws {
        for (handle, lists, places) in [("cap", 0, 1), ("jumper", 1, 0)] {
            let page = try await visitor.get("/product/\(handle)")
            let galleries = ["ul", "div"].map { tag in page.attributes(of: tag).count { $0["class"] == "gallery" } }
            #expect(galleries == [lists, places], "\(handle)")
        }
    }

    @Test(arguments: [
        ("/products?sort=name", ["belt", "cap", "jumper", "hat"]),
        ("/category/hats?sort=priceAscending", ["cap", "hat"]),
        ("/season/72?sort=name", ["cap", "jumper"]), ("/season/72?theme=721", ["jumper"]),
        ("/products?option.Colour=navy&option.Colour=Red", ["jumper"]), ("/products?option.Size=XL", []),
        ("/products?minPrice=30,50&sort=name", ["belt", "jumper"]), ("/products?minPrice=30.51", ["jumper"]),
        ("/products?maxPrice=20&sort=priceDescending", ["hat", "cap"]), ("/products?minPrice=10&maxPrice=10", ["cap"]),
        // A range is the same from either end.
        ("/products?minPrice=20&maxPrice=10&sort=name", ["cap", "hat"]),
        ("/products?inStock=true&sort=name", ["cap", "jumper", "hat"]), ("/products?tag=wool", ["jumper"]),
        ("/search?q=sprce", ["jumper"]), ("/search?q=nothing+such", []),
        ("/products?category=hats&sort=name", ["cap", "hat"]),
    ])
    func `A list has what its filters leave, in the order asked for`(address: String, expected: [String]) async throws {
        let page = try await visitor.get(address)
        #expect(page.status == 200 && page.handles == expected, "\(page.words)")
    }

    @Test(arguments: [
        "minPrice=-1", "minPrice=abc", "maxPrice=-5", "maxPrice=1e9", "minPrice=99999999999999999999", "inStock=maybe",
        "sort=relevance", "sort=price", "cursor=broken", "cursor=", "limit=9999", "category=unknown", "season=99",
        "theme=999", "option.=x", "option.Colour=", "utm_source=mail", "facets=1", "currency=USD", "q=", "q=%20",
        "a=%FF", "=", "&&", "tag=%00",
    ])
    func `Invalid query values are ignored, and prices among them are an error`(query: String) async throws {
        let page = try await visitor.get("/products?" + query)
        #expect(page.words.contains("Enter a price such as 50.") == query.contains("Price="))
        #expect(page.status == 200 && Set(page.handles).count == 4, "\(page.words)")
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func `Each filter has its count, and each chosen one can be removed`() async throws {
        let page = try await visitor.get("/products?option.Colour=Navy&minPrice=10&inStock=true&sort=name")
        #expect(page.words.contains("Navy 1") && page.words.contains("Forest 1"), "\(page.words)")
        #expect(page.links.contains("/products?minPrice=10.00&inStock=true&sort=name"))
        #expect(page.links.contains("/products?option.Colour=Navy&inStock=true&sort=name"))
        #expect(page.links.contains("/products?option.Colour=Navy&minPrice=10.00&sort=name"))
        #expect(page.links.contains("/products?sort=name"))
        let form = page.fields(of: "/products")
        #expect(form["option.Colour"] == "Navy" && form["minPrice"] == "10.00" && form["inStock"] == "true")
        #expect(page.text.contains("noindex") && !page.words.contains("Enter a price such as 50."))
        let plain = try await visitor.get("/products")
        #expect(!plain.text.contains("noindex") && plain.text.contains("rel=\"canonical\""))
        #expect(plain.words.contains("4 products") && plain.words.contains("Hats 2"))
    }

    @Test(arguments: ["/category/none", "/season/none", "/product/none", "/category/%FF", "/product/a%2Fb"])
    func `An unknown category, season or product has a 404 page`(address: String) async throws {
        let page = try await visitor.get(address)
        #expect(page.status == 404 && page.heading == "Page not found" && page.links.contains("/products"))
        #expect(page.header("Cache-Control") == "no-store")
    }

    @Test func `Suggestions are a list without a frame`() async throws {
        let found = try await visitor.get("/search?q=hat&fragment=suggestions")
        #expect(found.handles.first == "hat" && !found.text.contains("<html"), "\(found.text)")
        #expect(found.links.last == "/search?q=hat" && found.words.contains("€20.00"))
        #expect(try await visitor.get("/search?q=zzzz&fragment=suggestions").words == "No product matches yet.")
        #expect(try await visitor.get("/search?q=hat&fragment=other").text.contains("<html"))
    }

    @Test func `A product has its pictures, choices, stock, prices and delivery`() async throws {
        let page = try await visitor.get("/product/jumper")
        #expect(page.status == 200 && page.heading == "Spruce Jumper" && page.title == "Spruce Jumper – Pouch")
        let skus = page.attributes(of: "input").filter { $0["name"] == "sku" }
        #expect(skus.map { $0["value"] } == ["j-fs", "j-fm", "j-nm"])
        #expect(skus.map { $0["disabled"] != nil } == [true, false, false])
        #expect(skus.map { $0["checked"] != nil } == [false, true, false])
        #expect(skus.map { $0["data-key"] } == ["Forest|S", "Forest|M", "Navy|M"])
        for text in [
            "Only 2 left", "In stock, ready to ship", "Sold out", "€168.00", "€149.00", "A yoke of stars.", "Merino",
            "Delivery Standard (3 to 5 working days): €4.90", "Style 72101", "Autumn · Ember",
        ] { #expect(page.words.contains(text), "\(text) is not in \(page.words)") }
        #expect(page.attributes(of: "li").compactMap { $0["data-value"] } == ["Navy", "Forest"])
        // Nothing leads to a bare picture, which has no way back.
        #expect(Set(page.links).isDisjoint(with: page.pictures))
        let form = try page.form("/cart/lines")
        #expect(form.has("csrf") && form.has("key") && form.has("quantity"))
        #expect(page.links.contains("/category/jumpers") && page.links.contains("/season/72?theme=721"))
        let chosen = try await visitor.get("/product/jumper?sku=j-nm")
        #expect(chosen.fields(of: "/cart/lines")["sku"] == "j-nm" && chosen.element("del") == "€198.00")
        #expect(try await visitor.get("/product/jumper?sku=j-fs").fields(of: "/cart/lines")["sku"] == "j-fm")
        let soldOut = try await visitor.get("/product/belt")
        #expect(soldOut.words.contains("Sold out") && !soldOut.text.contains("name=\"quantity:int\""))
    }

    @Test func `A product has facts for search engines and previews`() async throws {
        let page = try await visitor.get("/product/jumper")
        let graph = try #require(try page.facts()["@graph"]?.array)
        let product = try #require(graph.first { $0["@type"]?.string == "ProductGroup" })
        #expect(product["name"]?.string == "Spruce Jumper" && product["productGroupID"]?.string == "72101")
        #expect(product["variesBy"]?.array?.contains("https://schema.org/size") == true)
        let variants = try #require(product["hasVariant"]?.array)
        let offers = variants.compactMap { $0["offers"] }
        #expect(offers.count == 3 && offers.allSatisfy { $0["@type"]?.string == "Offer" })
        #expect(Set(offers.compactMap { $0["price"]?.string }) == ["149.00", "168.00"])
        #expect(
            offers.compactMap { $0["availability"]?.string } == [
                "https://schema.org/OutOfStock", "https://schema.org/InStock", "https://schema.org/InStock",
            ])
        // Each offer has the address at which its variant is chosen.
        let last = try #require(variants.last), sku = try #require(last["sku"]?.string)
        let address = try #require(last["offers"]?["url"]?.string)
        let path = try #require(address.range(of: "/product/").map { String(address[$0.lowerBound...]) })
        #expect(try await visitor.get(path).fields(of: "/cart/lines")["sku"] == sku)
        let single = try await visitor.get("/product/cap").facts()["@graph"]?.array ?? []
        #expect(single.first { $0["@type"]?.string == "Product" }?["offers"]?["@type"]?.string == "Offer")
        let pictures = (product["image"]?.array ?? []).compactMap(\.string)
        #expect(pictures.count == 2 && pictures.allSatisfy { $0.hasPrefix("http") })
        let trail = try #require(graph.first { $0["@type"]?.string == "BreadcrumbList" })
        #expect(trail["itemListElement"]?.array?.count == 3)
        let preview = page.attributes(of: "meta").reduce(into: [:]) { $0[$1["property"] ?? ""] = $1["content"] }
        #expect(preview["og:type"] == "product" && preview["og:title"] == "Spruce Jumper")
        #expect(preview["og:image"]?.hasSuffix("/assets/a.svg") == true)
        #expect(preview["og:image"]?.hasPrefix("http") == true && preview["og:locale"] == "en_GB")
        #expect(preview["product:price:amount"] == "149.00" && preview["product:price:currency"] == "EUR")
    }

    @Test func `The page of a withdrawn product is a 410 with alternatives; that of a draft is a 404`() async throws {
        let admin = try await shop.admin()
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        _ = try await admin.addProduct(ProductTerms(name: "Secret")).good()
        try await shop.services.catalog.check()
        let page = try await visitor.get("/product/cap")
        #expect(page.status == 410 && page.heading == "Pine Cap is no longer sold", "\(page.words)")
        #expect(page.words.contains("We no longer sell this product. Here are similar ones."))
        #expect(page.handles == ["hat"] && page.links.contains("/category/hats"))
        try await admin.change(product: "cap") { $0.status = .archived }.good()
        #expect(try await visitor.get("/product/cap").status == 410)
        let draft = try await visitor.get("/product/secret")
        #expect(draft.status == 404 && !draft.text.contains("Secret"))
        let id = try await admin.product("cap").id
        #expect(try await visitor.get("/product/\(id)").status == 404)
    }

    @Test func `A change of a price or of the stock shows on every page once the catalogue has it`() async throws {
        let pages = ["/products", "/product/cap", "/category/hats", "/search?q=cap", "/", "/feed.xml"]
        for page in pages { #expect(try await visitor.get(page).words.contains("€10.00"), "\(page)") }
        let patch = VariantPatch(price: Money(1_234, .eur), available: 0)
        try await shop.admin().call(Contract.updateVariant, patch, path: ["sku": "cap"]).good()
        shop.clock.advance(by: 3)
        try await shop.services.catalog.check()
        for page in pages { #expect(try await visitor.get(page).words.contains("€12.34"), "\(page)") }
        #expect(try await visitor.get("/product/cap").words.contains("Sold out"))
        #expect(try await visitor.get("/category/hats?inStock=true").handles == ["hat"])
    }

    @Test func `Nothing of one visitor is on the page of another`() async throws {
        visitor.setCookie("pouch_cart", "37")
        let (mine, other) = (try await visitor.get("/product/cap"), try await WebVisitor(shop).get("/product/cap"))
        #expect(mine.words.contains("Cart 37") && !other.words.contains("37"))
        let forms = [mine, other].map { $0.fields(of: "/cart/lines") }
        #expect(forms[0]["csrf"] != forms[1]["csrf"] && forms[0]["key"] != forms[1]["key"])
        #expect(forms.allSatisfy { $0["csrf"]?.isEmpty == false })
        let campaign = try await visitor.get("/products?utm_source=secret-mail")
        #expect(!campaign.text.contains("secret-mail") && campaign.header("Cache-Control")?.contains("private") == true)
    }

    @Test func `The language is that of the browser until the visitor chooses one`() async throws {
        let german = WebVisitor(shop, language: "de-AT,en;q=0.5")
        for address in ["/products", "/product/jumper", "/cart", "/"] {
            #expect(try await visitor.get(address).text.contains("<html lang=\"en\""))
            #expect(try await german.get(address).text.contains("<html lang=\"de\""))
        }
        #expect(try await german.get("/product/jumper").words.contains("Nur noch 2 verfügbar"))
        #expect(try await german.add("cap").words.contains("10,00"))
        let link = try #require(try await german.get("/products?option.Size=M").links.first { $0.contains("lang=en") })
        #expect(link == "/products?option.Size=M&lang=en")
        #expect(try await german.get(link).words.contains("1 product"))
        #expect(try await german.get("/products").text.contains("<html lang=\"en\""))
        #expect(try await visitor.get("/products?lang=xx").text.contains("<html lang=\"en\""))
    }

    @Test(arguments: [
        ("de, en;q=0.9", "de"), ("fr-CH, fr;q=0.9, de;q=0.7", "de"), ("fr;q=0.9,en;q=0.4 , DE-at ; q=0.8", "de"),
        ("de;q=0.5, en;q=0.5", "de"), ("en;q=0.5, de;q=0.5", "en"), (",;-;q=1,de", "de"), ("de;q=0", "en"),
        ("den, de;q=many, *", "en"),
    ])
    func `The accepted language with the greatest weight is chosen`(accepted: String, language: String) async throws {
        let page = try await WebVisitor(shop, language: accepted).get("/")
        #expect(page.attributes(of: "html").first?["lang"] == language)
    }

    // MARK: Pictures of the chosen variant

    @Test func `A list shows the picture of the value that was chosen`() async throws {
        #expect(try await visitor.get("/products?tag=wool").words.contains("Colour: 2 choices"))
        try await shop.stock([
            FeedProduct(
                line: 1, handle: "sock", name: "Sock", categoryName: "Socks", tags: ["plain"],
                options: [ProductOption(name: "Colour", values: ["Red", "Blue"])],
                images: ["900", "900-R", "900-B"].map { ProductImage(url: "/assets/\($0).svg", alt: "Sock") },
                variants: ["Red", "Blue"].map { .stocked("900-\($0.prefix(1))", options: ["Colour": $0]) })
        ])
        shop.clock.advance(by: 1)
        for (address, picture) in [
            ("/products?option.Colour=forest", "https://pictures.example/b.jpg"),
            ("/products?option.Colour=Navy", "/assets/a.svg"), ("/products?tag=wool", "/assets/a.svg"),
            ("/category/socks?option.Colour=Blue", "/assets/900-B.svg"), ("/category/socks", "/assets/900.svg"),
        ] { #expect(try await visitor.get(address).pictures == [picture], "\(address)") }
    }

    @Test func `The cart, the checkout and the order show the picture of the chosen variant`() async throws {
        let forest = "https://pictures.example/b.jpg"
        #expect(try await visitor.add("jumper", sku: "j-fm").pictures.first == forest)
        let checkout = try await visitor.open("/checkout")
        #expect(checkout.pictures.first == forest)
        let order = try await visitor.pay(checkout)
        _ = try order.orderId()
        #expect(order.pictures.first == forest)
        #expect(try await visitor.add("jumper", sku: "j-nm").pictures.first == "/assets/a.svg")
    }
}

@Suite("Pages of the catalogue with other products")
struct OtherCatalogPageTests {
    private static let things: [FeedProduct] = (0..<60).map {
        .stocked("thing-\($0)", price: Int64($0 % 3) * 100 + 100, category: $0 % 2 == 0 ? "Even" : "Odd")
    }

    private let shop = TestShop.current
    private let visitor = WebVisitor(.current)

    @Test(.inShop(things), arguments: ["", "?sort=priceDescending", "?sort=name&inStock=true", "?q=thing"])
    func `Page links lead through the whole list, and each page shows its range`(query: String) async throws {
        var (seen, ranges): ([String], [String]) = ([], [])
        var next: String? = "/products" + query
        while let address = next, seen.count < 200 {
            let page = try await visitor.get(address)
            seen += page.handles
            ranges += ["Products 1 to 24 of 60", "Products 25 to 48 of 60", "Products 49 to 60 of 60"]
                .filter(page.words.contains)
            next = page.next
        }
        #expect(seen.count == 60 && Set(seen).count == 60)
        #expect(ranges.count == 3, "\(ranges)")
    }

    @Test(.inShop(things))
    func `A cursor of another list, or of other filters, begins at the first page`() async throws {
        let next = try #require(try await visitor.get("/category/even").next)
        let ofAPI = try await shop.anyone.call(Contract.products, query: "limit=10").good().nextCursor
        let first = try await visitor.get("/category/odd").handles
        for cursor in [String(try #require(next.split(separator: "cursor=").last)), try #require(ofAPI)] {
            #expect(try await visitor.get("/category/odd?cursor=\(cursor)").handles == first)
        }
    }

    @Test(.inShop([])) func `An empty shop says what to do next`() async throws {
        for address in ["/", "/products", "/search?q=hat"] {
            let page = try await visitor.get(address)
            #expect(page.status == 200 && page.links.contains("/admin"), "\(page.words)")
            #expect(page.words.contains("add a product"))
        }
    }

    @Test(.inShop([])) func `No text of a merchant becomes markup, on any page`() async throws {
        try await InjectionCorpus.store(in: shop)
        shop.clock.advance(by: 1)
        var addresses = ["/", "/products", "/products?sort=name"]
        for (number, text) in InjectionCorpus.texts.enumerated() {
            let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            addresses += [
                "/product/evil-\(number)", "/season/s\(number)", "/season/s\(number)?theme=t\(number)",
                "/search?q=\(query)", "/search?q=\(query)&fragment=suggestions", "/products?tag=\(query)",
                "/products?option.\(query)=\(query)", "/products?minPrice=\(query)&cursor=\(query)",
            ]
        }
        addresses += try await visitor.get("/").links.filter { $0.hasPrefix("/category/") }
        for address in addresses {
            let page = try await visitor.get(address)
            #expect(page.status == 200 && page.dangers == [], "\(address)")
            if page.text.contains("ld+json") { _ = try page.facts() }
        }
        for (number, text) in InjectionCorpus.texts.enumerated() {
            let graph = try await visitor.get("/product/evil-\(number)").facts()["@graph"]?.array
            let product = graph?.first { $0["@type"]?.string == "ProductGroup" }
            #expect(product?["name"]?.string?.singleLine == text.singleLine, "\(text)")
        }
    }
}

extension WebPage {
    /// The addresses of all pictures, in order.
    fileprivate var pictures: [String] { attributes(of: "img").compactMap { $0["src"] } }

    /// The handles of the products that the page links to, each once, in order.
    fileprivate var handles: [String] {
        links.filter { $0.hasPrefix("/product/") && !$0.contains("lang=") }
            .map { String($0.dropFirst("/product/".count)) }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The JSON-LD of the page, up to where a browser ends it.
    fileprivate func facts() throws -> JSON {
        let start = try #require(text.firstRange(of: "<script type=\"application/ld+json\">"))
        let rest = text[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</script"))
        return try JSON(json: Data(rest[..<end.lowerBound].utf8))
    }
}
