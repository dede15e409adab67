import ServerTesting
import Testing

@Suite("Reading the catalogue over HTTP", .inShop([]))
struct CatalogHTTPTests {
    private static let feed: [FeedRecord] = [
        .season(Season(id: "71", name: "Spring")), .season(Season(id: "72", name: "Autumn")),
        .theme(Theme(id: "711", name: "Meadow", seasonId: "71")),
        .theme(Theme(id: "721", name: "Harvest", seasonId: "72")),
        .product(
            FeedProduct(
                line: 1, handle: "cardigan", styleCode: "71101", name: "Ribbed Cardigan", description: "Soft merino.",
                seasonId: "71", themeId: "711", categoryName: "Cardigans", tags: ["wool", "new"], materials: ["Merino"],
                options: [ProductOption(name: "Size", values: ["S", "M"])],
                images: [ProductImage(url: "/assets/cardigan.svg", alt: "A cardigan")],
                variants: [
                    .stocked("71101-s", price: 9900, stock: 2, options: ["Size": "S"]),
                    .stocked("71101-m", price: 8900, stock: 0, options: ["Size": "M"]),
                ])),
        .product(.stocked("cap", price: 1000, stock: 10, category: "Hats", season: "72", tags: ["wool"])),
        .product(.stocked("belt", price: 3000, stock: 0, category: "Belts", season: "72")),
        .promotion(
            FeedPromotion(
                line: 1, styleCode: "71101", image: ProductImage(url: "/assets/p.svg", alt: "Promo"), position: 0)),
    ]

    private let shop = TestShop.current
    private var anyone: Caller { shop.anyone }

    init() async throws {
        try await shop.feed(Self.feed)
        shop.clock.advance(by: 1)
    }

    @Test func `Seasons, themes, categories and promotions are listed, for one season too`() async throws {
        #expect(try await anyone.call(Contract.seasons).good().items.map(\.name) == ["Spring", "Autumn"])
        #expect(try await anyone.call(Contract.themes).good().items.map(\.id) == ["711", "721"])
        #expect(try await anyone.call(Contract.themes, query: "season=72").good().items.map(\.id) == ["721"])
        #expect(try await anyone.call(Contract.themes, query: "season=99").good().items == [])
        let categories = try await anyone.call(Contract.categories).good().items
        #expect(categories.map(\.id) == ["belts", "cardigans", "hats"])
        #expect(categories.map(\.productCount) == [1, 1, 1])
        #expect(try await anyone.call(Contract.categories, query: "season=71").good().items.map(\.id) == ["cardigans"])
        let promotions = try await anyone.call(Contract.promotions).good().items
        #expect(promotions.map(\.product.handle) == ["cardigan"] && promotions.map(\.image.alt) == ["Promo"])
    }

    @Test func `Every list has pages`() async throws {
        #expect(try await anyone.pages(Contract.seasons, limit: 1).map { $0.map(\.id) } == [["71"], ["72"]])
        #expect(try await anyone.pages(Contract.themes, limit: 1).map(\.count) == [1, 1])
        #expect(try await anyone.pages(Contract.categories, limit: 2).map(\.count) == [2, 1])
        #expect(try await anyone.pages(Contract.promotions, limit: 1).map(\.count) == [1])
    }

    @Test func `A product has everything from the feed`() async throws {
        let product = try await anyone.call(Contract.product, path: ["handle": "cardigan"]).good()
        #expect(product.id.hasPrefix("prd_") && product.styleCode == "71101" && product.name == "Ribbed Cardigan")
        #expect(product.price == Money(8900, .eur) && product.category == "cardigans")
        #expect(product.seasonId == "71" && product.themeId == "711" && product.tags == ["wool", "new"])
        #expect(product.variants.map(\.sku) == ["71101-s", "71101-m"])
        #expect(product.variants.map(\.available) == [2, 0])
        #expect(product.images == [ProductImage(url: "/assets/cardigan.svg", alt: "A cardigan")])
        try await anyone.call(Contract.product, path: ["handle": "unknown"]).problem(.notFound)
        try await anyone.call(Contract.product, path: ["handle": "cap"], query: "x=1").problem(.invalidQuery)
    }

    @Test(arguments: [
        ("season=72", ["belt", "cap"]), ("theme=711", ["cardigan"]), ("category=hats", ["cap"]),
        ("tag=wool", ["cap", "cardigan"]), ("option.Size=M", ["cardigan"]), ("option.Size=XL", []),
        ("option.size=s&option.Size=M", ["cardigan"]), ("minPrice=1000&maxPrice=3000", ["belt", "cap"]),
        ("minPrice=3001&currency=EUR", ["cardigan"]), ("minPrice=8901", []), ("inStock=true", ["cap", "cardigan"]),
        ("inStock=false", ["belt"]), ("option.Size=M&inStock=true", []), ("q=ribed", ["cardigan"]),
        ("q=merino", ["cardigan"]), ("q=", ["belt", "cap", "cardigan"]), ("season=72&tag=wool", ["cap"]),
        ("category=nothing", []),
    ])
    func `Filters narrow the list`(query: String, handles: [String]) async throws {
        #expect(try await anyone.call(Contract.products, query: query).good().items.map(\.handle).sorted() == handles)
    }

    @Test(arguments: [
        ("priceAscending", ["cap", "belt", "cardigan"]), ("priceDescending", ["cardigan", "belt", "cap"]),
        ("name", ["belt", "cap", "cardigan"]),
    ])
    func `The list is sorted as asked`(sort: String, handles: [String]) async throws {
        #expect(try await anyone.call(Contract.products, query: "sort=\(sort)").good().items.map(\.handle) == handles)
    }

    @Test func `Facets ignore their own filter and are counted only on request`() async throws {
        #expect(try await anyone.call(Contract.products).good().facets == nil)
        let page = try await anyone.call(Contract.products, query: "facets=true&category=hats").good()
        let facets = Dictionary(uniqueKeysWithValues: (page.facets ?? []).map { ($0.name, $0.values) })
        #expect(facets["category"]?.count == 3)
        #expect(facets["tag"] == [Facet.Value(value: "wool", count: 1)])
    }

    @Test func `Availability is exact at once, with the price and in the order of the request`() async throws {
        try await shop.stock([.stocked("many", stock: 4), .stocked("few", stock: 3), .stocked("none", stock: 0)])
        let query = "sku=none&sku=many&sku=unknown&sku=few&sku=many"
        let answer = try await anyone.call(Contract.availability, query: query)
        let items = try answer.good().items
        #expect(items.map(\.sku) == ["none", "many", "unknown", "few", "many"])
        #expect(items.map(\.status) == [.soldOut, .inStock, .unknown, .low, .inStock])
        #expect(items.map(\.available) == [0, 4, 0, 3, 4])
        #expect(items[2].price == nil && items[1].price == Money(1000, .eur))
        #expect(answer.header("Cache-Control") == "no-store")
        _ = try await shop.guest().buyNow("many").good()
        #expect(try await anyone.call(Contract.availability, query: "sku=many").good().items.map(\.status) == [.low])
    }

    @Test func `Availability takes 1 to 100 SKUs`() async throws {
        let skus = (0..<100).map { "sku=s\($0)" }.joined(separator: "&")
        #expect(try await anyone.call(Contract.availability, query: skus).good().items.count == 100)
        for query in ["", skus + "&sku=one", "sku=cap&limit=3", "sku=%FF"] {
            try await anyone.call(Contract.availability, query: query).problem(.invalidQuery)
        }
        #expect(try await anyone.call(Contract.availability, query: "sku=").good().items.map(\.status) == [.unknown])
    }
}

@Suite("Changes in the catalogue become visible")
struct CatalogFollowingTests {
    private let shop = TestShop.current

    /// The handles of a list.
    private func handles(_ query: String) async throws -> [String] {
        try await shop.anyone.call(Contract.products, query: query).good().items.map(\.handle)
    }

    @Test(.inShop()) func `An import by another server is visible within a second`() async throws {
        try await shop.another { other in
            #expect(try await handles("").count == 3)
            try await other.stock([.stocked("hat")])
            shop.clock.advance(by: 0.999)
            #expect(try await handles("").count == 4)
            #expect(try await shop.anyone.call(Contract.product, path: ["handle": "hat"]).status == 200)
            // To a constant reader, too.
            try await other.stock([.stocked("bag")])
            for _ in 0..<9 {
                shop.clock.advance(by: 0.1)
                _ = try await handles("")
            }
            try await eventually { try await handles("").count == 5 }
        }
    }

    @Test(.inShop()) func `A sale shows in the catalogue within 5 s, and in the availability at once`() async throws {
        func listed() async throws -> Int? {
            try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good().variants.first?.available
        }
        #expect(try await listed() == 10)
        _ = try await shop.guest().buyNow().good()
        let exact = try await shop.anyone.call(Contract.availability, query: "sku=cap").good()
        #expect(exact.items.map(\.available) == [9])
        shop.clock.advance(by: 5)
        #expect(try await listed() == 9)
        let found = try await shop.anyone.call(Contract.products, query: "q=cap").good().items.first
        #expect(found?.variants.map(\.available) == [9])
    }

    @Test(.inShop([.stocked("cap", stock: 1), .stocked("hat", stock: 1)]))
    func `A sale of the last unit takes the product off the in-stock list; a cancellation returns it`() async throws {
        let query = "inStock=true&sort=name"
        #expect(try await handles(query) == ["cap", "hat"])
        try await shop.another { other in
            let guest = try await other.guest()
            let order = try await guest.buyNow().good()
            shop.clock.advance(by: 5)
            #expect(try await handles(query) == ["hat"])
            try await guest.call(Contract.cancelOrder, path: ["id": order.id]).good()
            shop.clock.advance(by: 5)
            #expect(try await handles(query).count == 2)
        }
    }

    @Test(.inShop((1...6).map { .stocked("thing-\($0)") })) func `A cursor stays valid after a sale`() async throws {
        let first = try await shop.anyone.call(Contract.products, query: "q=thing&limit=3").good()
        _ = try await shop.guest().buyNow("thing-1").good()
        shop.clock.advance(by: 5)
        let cursor = try #require(first.nextCursor)
        let rest = try await shop.anyone.call(Contract.products, query: "q=thing&limit=3&cursor=\(cursor)").good()
        #expect(Set((first.items + rest.items).map(\.handle)).count == 6)
    }

    @Test(.timeLimit(.minutes(5)), .inShop((0..<60).map { .stocked("thing-\($0)", price: 1000) }))
    func `Concurrent readers see the catalogue before or after an import, never a mixture`() async throws {
        async let importing = shop.stock((0..<60).map { .stocked("thing-\($0)", price: 2000) })
        _ = try await parallel(4) { _ in
            for _ in 0..<60 {
                shop.clock.advance(by: 0.2)
                let page = try await shop.anyone.call(Contract.products, query: "limit=200").good()
                #expect(Set(page.items.map(\.price)).count == 1)
                #expect(page.items.count == 60)
            }
        }
        _ = try await importing
        shop.clock.advance(by: 1)
        #expect(try await shop.anyone.call(Contract.products).good().items.first?.price == Money(2000, .eur))
    }
}
