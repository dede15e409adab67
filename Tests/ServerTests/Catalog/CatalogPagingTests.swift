import ServerTesting
import Testing

@Suite("Pages of the catalogue")
struct CatalogPagingTests {
    @Test(arguments: [ProductSort.newest, .priceAscending, .priceDescending, .name], UInt64(1)...6)
    func `A product that stays is listed exactly once while others are added and removed between pages`(
        sort: ProductSort, seed: UInt64
    ) throws {
        var random = RandomCatalog(seed: seed)
        var products = random.products(30)
        var query = ProductQuery(inStock: random.chance(2) ? true : nil, sort: sort, limit: 200)
        var unchanged = Set(try CatalogSnapshot(products: products).ids(query))
        query.limit = 3
        var seen: [String] = []
        var position: ProductPosition?
        var number = 100
        repeat {
            let listing = try CatalogSnapshot(version: Int64(number), products: products).page(query, after: position)
            seen += listing.items.map(\.id)
            position = listing.next
            products.removeAll { _ in random.chance(10) }
            // Some are added with an early id, so that they land on pages that were read already.
            for _ in 0..<2 {
                number += 1
                products.append(random.product(number: random.chance(2) ? number : number - 9_000))
            }
            unchanged.formIntersection(products.map(\.id))
        } while position != nil && number < 1000
        #expect(position == nil)
        #expect(Set(seen).count == seen.count)
        #expect(unchanged.subtracting(seen) == [])
    }

    @Test(arguments: ProductSort.allCases)
    func `All pages together are the whole list, for every sort`(sort: ProductSort) throws {
        var random = RandomCatalog(seed: 11)
        let snapshot = CatalogSnapshot(products: random.products(60))
        var query = ProductQuery(search: "s", sort: sort, limit: 200)
        let whole = try snapshot.ids(query)
        #expect(whole.count > 20)
        query.limit = 7
        #expect(try snapshot.all(query).map(\.id) == whole)
    }

    @Test func `A position whose following products were removed gives an empty last page`() throws {
        let position = try CatalogSnapshot(products: [.sample("a"), .sample("b")]).page(ProductQuery(limit: 1)).next
        let listing = try CatalogSnapshot(products: [.sample("b")]).page(ProductQuery(), after: position)
        #expect(listing.items.isEmpty)
        #expect(listing.next == nil)
    }

    @Test func `A position by relevance expires with its catalogue version`() throws {
        let products = [Product.sample("a", name: "sock"), .sample("b", name: "sock")]
        let query = ProductQuery(search: "sock", limit: 1)
        let first = CatalogSnapshot(version: 1, products: products)
        let position = try first.page(query).next
        #expect(try first.withAvailability(["a-1": 9]).page(query, after: position).items.map(\.id) == ["b"])
        #expect(throws: CatalogQueryError.positionExpired) {
            try CatalogSnapshot(version: 2, products: products).page(query, after: position)
        }
    }

    @Test(arguments: [
        ProductQuery(sort: .name), ProductQuery(season: "1"), ProductQuery(theme: "1"), ProductQuery(tag: "1"),
        ProductQuery(category: "1"), ProductQuery(minPrice: Money(1, .eur)), ProductQuery(maxPrice: Money(1, .eur)),
        ProductQuery(inStock: true), ProductQuery(inStock: false), ProductQuery(search: "1", sort: .newest),
        ProductQuery(options: ["1": ["2"]]), ProductQuery(options: ["2": ["1"]]),
        ProductQuery(options: ["Size": ["S", "M"]]),
    ])
    func `A position is refused for another query, or other values of an option`(other: ProductQuery) throws {
        let snapshot = CatalogSnapshot(
            products: ["a", "b"].map { .sample($0, variants: [.sample($0, ["Size": "S"])]) })
        for query in [ProductQuery(limit: 1), ProductQuery(options: ["Size": ["S"]], limit: 1)] {
            let position = try snapshot.page(query).next
            #expect(throws: CatalogQueryError.positionMismatch) { try snapshot.page(other, after: position) }
        }
    }

    @Test func `Limit, facets and letter case of options may change from page to page`() throws {
        let snapshot = CatalogSnapshot(
            products: (1...3).map { .sample("\($0)", variants: [.sample("\($0)", ["Colour": "Navy"])]) })
        let position = try snapshot.page(ProductQuery(options: ["Colour": ["Navy", "Pink"]], limit: 1)).next
        let query = ProductQuery(options: ["colour": ["pink", "NAVY"]], facets: true, limit: 9)
        #expect(try snapshot.page(query, after: position).items.map(\.id) == ["2", "1"])
    }
}

@Suite("Seasons and prices over time", .inShop([]))
struct CatalogClockTests {
    private let shop = TestShop.current

    init() async throws {
        try await shop.feedSeasons([.stocked("old", season: "71"), .stocked("new", season: "72"), .stocked("always")])
        shop.clock.advance(by: 1)
    }

    private func listed() async throws -> [String] {
        try await shop.anyone.call(Contract.products, query: "sort=name").good().items.map(\.handle)
    }

    private func seasons() async throws -> [String] {
        try await shop.anyone.call(Contract.seasons).good().items.map(\.id)
    }

    @Test func `A season's products appear and disappear at its start and end, and the ETag changes`() async throws {
        let guest = try await shop.guest()
        #expect(try await listed() == ["always", "old"])
        #expect(try await seasons() == ["71"])
        try await guest.call(Contract.product, path: ["handle": "new"]).problem(.notFound)
        #expect(try await guest.buyNow("new", 1, total: 1490).status == 404)
        let before = try await guest.call(Contract.products)
        shop.clock.advance(by: 98.999)
        #expect(try await guest.call(Contract.products).etag == before.etag)
        shop.clock.advance(by: 0.001)
        let after = try await guest.call(Contract.products, headers: ["If-None-Match": #require(before.etag)])
        #expect(after.status == 200 && after.etag != before.etag)
        #expect(try await listed() == ["always", "new"])
        #expect(try await seasons() == ["72"])
        try await guest.call(Contract.product, path: ["handle": "old"]).good()
        for sku in ["old", "new"] { try await guest.buyNow(sku, 1, total: 1490).good() }
    }

    @Test func `A scheduled price applies from its start until its end`() async throws {
        let (admin, now) = (try await shop.admin(), shop.clock.now)
        for (price, from, until) in [(800, 10, 40), (600, 20, 30)] as [(Int64, TimeInterval, TimeInterval)] {
            try await admin.schedule("always", price: price, from: now + from, until: now + until).good()
        }
        shop.clock.advance(by: 1)
        var seen: [Int64] = []
        for _ in 0..<5 {
            let product = try await shop.anyone.call(Contract.product, path: ["handle": "always"]).good()
            let exact = try await shop.anyone.call(Contract.availability, query: "sku=always").good().items[0]
            #expect(product.price == exact.price)
            #expect(product.compareAtPrice == (product.price.amount == 1000 ? nil : Money(1000, .eur)))
            seen.append(product.price.amount)
            shop.clock.advance(by: 10)
        }
        #expect(seen == [1000, 800, 600, 800, 1000])
    }

    @Test func `Concurrent readers all see the new products at the start of a season`() async throws {
        _ = try await listed()
        shop.clock.advance(by: 99)
        #expect(try await Set(parallel(30) { _ in try await listed() }) == [["always", "new"]])
    }
}

extension TestShop {
    /// Halves the price of caps from 60 s until 120 s from now.
    func scheduleCap() async throws {
        let (start, end) = (clock.now.addingTimeInterval(60), clock.now.addingTimeInterval(120))
        try await admin().schedule("cap", price: 500, from: start, until: end).good()
    }

    /// Feeds the products, a season 71 that ends after 100 s, and a season 72 that begins then.
    func feedSeasons(_ products: [FeedProduct]) async throws {
        let turn = clock.now.addingTimeInterval(100)
        let seasons = [Season(id: "71", name: "Past", endsAt: turn), Season(id: "72", name: "Coming", startsAt: turn)]
        try await feed(seasons.map(FeedRecord.season) + products.map(FeedRecord.product))
    }
}
