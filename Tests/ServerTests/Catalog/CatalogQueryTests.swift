import ServerTesting
import Testing

@Suite("Catalogue queries")
struct CatalogQueryTests {
    @Test(arguments: UInt64(1)...8)
    func `Filters, sorts and facets match a simple reference implementation`(seed: UInt64) throws {
        var random = RandomCatalog(seed: seed)
        let products = random.products(40)
        let reference = ReferenceCatalog(products: products)
        let snapshot = CatalogSnapshot(products: products)
        for _ in 0..<80 {
            let query = random.query()
            let listing = try snapshot.page(query)
            let expected = reference.results(query)
            let isRelevance = query.search != nil && (query.sort ?? .relevance) == .relevance
            let found = isRelevance ? try snapshot.all(query).sorted { $0.id < $1.id } : listing.items
            let wanted = isRelevance ? expected : Array(expected.prefix(query.limit ?? 50))
            #expect(found.map(\.id) == wanted.map(\.id), "\(query)")
            #expect((listing.next == nil) == (expected.count <= query.limit ?? 50), "\(query)")
            #expect(listing.facets == (query.facets ? reference.facets(query) : nil), "\(query)")
        }
    }

    @Test func `A price range applies to the product's price and includes both ends`() throws {
        let snapshot = CatalogSnapshot(products: [.sample("a", price: 100), .sample("b", price: 200)])
        for (least, most, ids) in [(100, 199, ["a"]), (101, 200, ["b"]), (201, 100, [])] as [(Int64, Int64, [String])] {
            #expect(try snapshot.ids(ProductQuery(minPrice: Money(least, .eur), maxPrice: Money(most, .eur))) == ids)
        }
    }

    @Test func `A facet has at most a hundred values`() throws {
        let snapshot = CatalogSnapshot(
            products: (100..<250).map { .sample("\($0)", category: "c\($0)", tags: $0 < 110 ? ["x"] : []) })
        let facets = try snapshot.page(ProductQuery(facets: true)).facets ?? []
        #expect(facets.map(\.values.count) == [100, 1])
        #expect(facets.first?.values.last?.value == "c199")
    }

    @Test func `A page has 50 products by default and never more than 200`() throws {
        let snapshot = CatalogSnapshot(products: (1000..<1300).map { .sample("\($0)") })
        #expect(try snapshot.page(ProductQuery()).items.count == 50)
        #expect(try snapshot.page(ProductQuery(limit: 1000)).items.count == 200)
        #expect(try snapshot.page(ProductQuery(limit: 0)).items.count == 1)
    }
}

@Suite("Seasons, themes, categories and promotions")
struct CatalogListTests {
    private let snapshot = CatalogSnapshot(
        CatalogContent(
            version: 1, currency: .eur,
            seasons: [Season(id: "72", name: "Winter"), Season(id: "71", name: "Summer")],
            themes: [
                Theme(id: "721", name: "Snow", seasonId: "72"), Theme(id: "712", name: "Sand", seasonId: "71"),
                Theme(id: "711", name: "Sea", seasonId: "71"),
            ],
            categoryNames: ["socks": "Socks", "hats": "Hats", "empty": "Empty"],
            products: [
                .sample("a", season: "71", category: "socks"), .sample("b", season: "72", category: "socks"),
                .sample("c", season: "72", category: "hats"), .sample("d", category: "unnamed", variants: []),
            ],
            promotions: [
                .init(productId: "c", image: ProductImage(url: "/assets/c.svg", alt: "C"), position: 2),
                .init(productId: "a", image: ProductImage(url: "/assets/a.svg", alt: "A"), position: 0),
            ]))

    @Test func `Seasons and themes are sorted by id`() {
        #expect(snapshot.seasons.map(\.id) == ["71", "72"])
        #expect(snapshot.themes().map(\.id) == ["711", "712", "721"])
        #expect(snapshot.themes(season: "71").map(\.id) == ["711", "712"])
        #expect(snapshot.themes(season: "70").isEmpty)
    }

    @Test func `Categories count their products, in one season too, and empty ones are left out`() {
        #expect(
            snapshot.categories() == [
                Category(id: "hats", name: "Hats", productCount: 1),
                Category(id: "socks", name: "Socks", productCount: 2),
                Category(id: "unnamed", name: "unnamed", productCount: 1),
            ])
        #expect(snapshot.categories(season: "71") == [Category(id: "socks", name: "Socks", productCount: 1)])
        #expect(snapshot.categories(season: "70") == [])
    }

    @Test func `Promotions are sorted by position`() {
        #expect(snapshot.promotions.map(\.product.id) == ["a", "c"])
        #expect(snapshot.promotions.map(\.position) == [0, 2])
    }
}

@Suite("Availability in the catalogue")
struct CatalogAvailabilityTests {
    private let before = CatalogSnapshot(
        CatalogContent(
            version: 4, currency: .eur,
            products: [
                .sample("a", variants: [.sample("a1", ["Size": "S"], available: 0), .sample("a2", ["Size": "M"])]),
                .sample("b", variants: [.sample("b1", price: 700, available: 9)]),
            ],
            promotions: [
                .init(productId: "a", image: ProductImage(url: "/assets/a.svg", alt: "A"), position: 1),
                .init(productId: "gone", image: ProductImage(url: "/assets/g.svg", alt: "G"), position: 0),
            ]))

    @Test func `New stock figures leave the old snapshot as it is, and ignore unknown SKUs`() throws {
        let after = before.withAvailability(["a1": 5, "a2": 0, "unknown": 3])
        #expect(after.version == 4)
        #expect(after.variant(sku: "a1")?.variant.available == 5)
        #expect(after.availability(sku: "a2").status == .soldOut)
        #expect(after.promotions.map { $0.product.variants.map(\.available) } == [[5, 0]])
        let small = ProductQuery(options: ["Size": ["S"]], inStock: true)
        #expect(try before.ids(small) == [])
        #expect(try after.ids(small) == ["a"])
        #expect(before.availability(sku: "a1").available == 0)
    }

    @Test func `Unchanged stock figures return the same snapshot`() {
        #expect(before.withAvailability(["a2": 1, "unknown": 3]) === before)
        #expect(before.withAvailability(["a2": 2]) !== before)
    }

    @Test func `Availability has the variant's price and stock, and reports an unknown SKU`() {
        #expect(before.availability(sku: "b1") == Availability(sku: "b1", price: Money(700, .eur), available: 9))
        #expect(before.availability(sku: "B1") == Availability(unknown: "B1"))
        #expect(before.variant(sku: "a2")?.product.id == "a")
        #expect(before.variant(sku: "unknown") == nil)
        #expect(before.product(handle: "handle-b")?.id == "b")
        #expect(before.product(handle: "b") == nil)
    }
}

extension CatalogSnapshot {
    convenience init(version: Int64 = 1, products: [Product]) {
        self.init(CatalogContent(version: version, currency: .eur, products: products))
    }

    func ids(_ query: ProductQuery) throws -> [String] { try page(query).items.map(\.id) }

    /// Reads all pages. Each position is encoded to JSON and back, as a cursor does.
    func all(_ query: ProductQuery) throws -> [Product] {
        var items: [Product] = []
        var position: ProductPosition?
        repeat {
            let listing = try page(query, after: position)
            items += listing.items
            position = try listing.next.map { try ProductPosition(json: $0.json()) }
        } while position != nil
        return items
    }
}
