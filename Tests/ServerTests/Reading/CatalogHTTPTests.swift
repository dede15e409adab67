import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire
import Testing

@Suite("Reading the catalogue over HTTP")
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

    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open([]) { shop in
            try await shop.feed(Self.feed)
            shop.clock.advance(by: 1)
            try await body(shop)
        }
    }

    @Test func `Seasons, themes, categories and promotions are listed, of one season too`() async throws {
        try await open { shop in
            let anyone = shop.anyone
            #expect(try await anyone.call(Contract.seasons).good().items.map(\.name) == ["Spring", "Autumn"])
            #expect(try await anyone.call(Contract.themes).good().items.map(\.id) == ["711", "721"])
            #expect(try await anyone.call(Contract.themes, query: "season=72").good().items.map(\.id) == ["721"])
            #expect(try await anyone.call(Contract.themes, query: "season=99").good().items == [])
            let categories = try await anyone.call(Contract.categories).good().items
            #expect(
                categories.map(\.id) == ["belts", "cardigans", "hats"] && categories.map(\.productCount) == [1, 1, 1])
            #expect(
                try await anyone.call(Contract.categories, query: "season=71").good().items.map(\.id) == ["cardigans"])
            let promotions = try await anyone.call(Contract.promotions).good().items
            #expect(promotions.map(\.product.handle) == ["cardigan"] && promotions.map(\.image.alt) == ["Promo"])
        }
    }

    @Test func `Every list is cut into pages`() async throws {
        try await open { shop in
            let anyone = shop.anyone
            let seasons = try await anyone.pages(Contract.seasons, limit: 1)
            #expect(seasons.map { $0.map(\.id) } == [["71"], ["72"]])
            let themes = try await anyone.pages(Contract.themes, limit: 1)
            #expect(themes.map(\.count) == [1, 1])
            let categories = try await anyone.pages(Contract.categories, limit: 2)
            #expect(categories.map(\.count) == [2, 1])
            let promotions = try await anyone.pages(Contract.promotions, limit: 1)
            #expect(promotions.map(\.count) == [1])
        }
    }

    @Test func `A product has all that the feed named`() async throws {
        try await open { shop in
            let product = try await shop.anyone.call(Contract.product, path: ["handle": "cardigan"]).good()
            #expect(product.id.hasPrefix("prd_") && product.styleCode == "71101" && product.name == "Ribbed Cardigan")
            #expect(product.price == Money(8900, .eur) && product.category == "cardigans")
            #expect(product.seasonId == "71" && product.themeId == "711" && product.tags == ["wool", "new"])
            #expect(
                product.variants.map(\.sku) == ["71101-s", "71101-m"] && product.variants.map(\.available) == [2, 0])
            #expect(product.images == [ProductImage(url: "/assets/cardigan.svg", alt: "A cardigan")])
            try await shop.anyone.call(Contract.product, path: ["handle": "nobody"]).problem(.notFound)
            try await shop.anyone.call(Contract.product, path: ["handle": "cap"], query: "x=1").problem(.invalidQuery)
        }
    }

    @Test(arguments: [
        ("season=72", ["belt", "cap"]), ("theme=711", ["cardigan"]), ("category=hats", ["cap"]),
        ("tag=wool", ["cap", "cardigan"]),
        ("option.Size=M", ["cardigan"]), ("option.size=s&option.Size=M", ["cardigan"]), ("option.Size=XL", []),
        ("minPrice=1000&maxPrice=3000", ["belt", "cap"]), ("minPrice=8901", []), ("inStock=true", ["cap", "cardigan"]),
        ("inStock=false", ["belt"]), ("option.Size=M&inStock=true", []), ("q=ribed", ["cardigan"]),
        ("q=merino", ["cardigan"]),
        ("q=", ["belt", "cap", "cardigan"]), ("season=72&tag=wool", ["cap"]), ("category=nothing", []),
    ])
    func `Filters narrow the list`(query: String, handles: [String]) async throws {
        try await open { shop in
            let page = try await shop.anyone.call(Contract.products, query: query).good()
            #expect(page.items.map(\.handle).sorted() == handles)
        }
    }

    @Test(arguments: [
        ("priceAscending", ["cap", "belt", "cardigan"]), ("priceDescending", ["cardigan", "belt", "cap"]),
        ("name", ["belt", "cap", "cardigan"]),
    ])
    func `The list is sorted as asked`(sort: String, handles: [String]) async throws {
        try await open { shop in
            let page = try await shop.anyone.call(Contract.products, query: "sort=\(sort)").good()
            #expect(page.items.map(\.handle) == handles)
        }
    }

    @Test func `Facets are counted without their own filter, and only when asked for`() async throws {
        try await open { shop in
            #expect(try await shop.anyone.call(Contract.products).good().facets == nil)
            let page = try await shop.anyone.call(Contract.products, query: "facets=true&category=hats").good()
            let facets = Dictionary(uniqueKeysWithValues: (page.facets ?? []).map { ($0.name, $0.values) })
            #expect(facets["category"]?.count == 3)
            #expect(facets["tag"] == [Facet.Value(value: "wool", count: 1)])
        }
    }

    @Test(
        arguments: ["", "sort=priceAscending", "sort=name", "q=thing", "sort=priceDescending&inStock=true"],
        [1, 7, 200])
    func `Cursors lead to the end without gaps or repeats`(query: String, limit: Int) async throws {
        let things: [FeedProduct] = (0..<45).map { .stocked("thing-\($0)", price: Int64($0 % 4) * 100 + 100) }
        try await TestShop.open(things) { shop in
            let pages = try await shop.anyone.productPages(limit: limit, query: query)
            let handles = pages.joined().map(\.handle)
            #expect(handles.count == 45 && Set(handles).count == 45)
            #expect(pages.dropLast().allSatisfy { $0.count == limit })
        }
    }

    @Test func `An import between two pages skips and repeats nothing`() async throws {
        let things: [FeedProduct] = (10..<30).map { .stocked("thing-\($0)") }
        try await TestShop.open(things) { shop in
            let first = try await shop.anyone.call(Contract.products, query: "sort=name&limit=10").good()
            try await shop.stock([.stocked("thing-05"), .stocked("thing-195", name: "Thing-195")])
            shop.clock.advance(by: 1)
            let cursor = try #require(first.nextCursor)
            let rest = try await shop.anyone.call(Contract.products, query: "sort=name&limit=50&cursor=\(cursor)")
                .good()
            let seen = first.items.map(\.handle) + rest.items.map(\.handle)
            #expect(Set(things.map(\.handle)).isSubset(of: seen))
            #expect(Set(seen).count == seen.count && !seen.contains("thing-05"))
        }
    }

    @Test func `Availability is exact at once, with its price and in the order of the question`() async throws {
        let things: [FeedProduct] = [
            .stocked("many", stock: 4), .stocked("few", stock: 3), .stocked("none", stock: 0),
        ]
        try await TestShop.open(things) { shop in
            let answer = try await shop.anyone.call(
                Contract.availability, query: "sku=none&sku=many&sku=nobody&sku=few&sku=many")
            let items = try answer.good().items
            #expect(items.map(\.sku) == ["none", "many", "nobody", "few", "many"])
            #expect(items.map(\.status) == [.soldOut, .inStock, .unknown, .low, .inStock])
            #expect(items.map(\.available) == [0, 4, 0, 3, 4])
            #expect(items[2].price == nil && items[1].price == Money(1000, .eur))
            #expect(answer.header("Cache-Control") == "no-store")
            _ = try await shop.guest().buyNow("many").good()
            #expect(
                try await shop.anyone.call(Contract.availability, query: "sku=many").good().items.map(\.status) == [
                    .low
                ])
        }
    }

    @Test func `Availability is asked for 1 to 100 SKUs`() async throws {
        try await TestShop.open { shop in
            let skus = (0..<100).map { "sku=s\($0)" }.joined(separator: "&")
            #expect(try await shop.anyone.call(Contract.availability, query: skus).good().items.count == 100)
            for query in ["", skus + "&sku=one", "sku=cap&limit=3", "sku=%FF"] {
                try await shop.anyone.call(Contract.availability, query: query).problem(.invalidQuery)
            }
            #expect(
                try await shop.anyone.call(Contract.availability, query: "sku=").good().items.map(\.status) == [
                    .unknown
                ])
        }
    }
}
