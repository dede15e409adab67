import PouchDomain
import PouchEntities
import Testing

@Suite("Catalogue queries")
struct CatalogQueryTests {
    @Test("Filters, sorts and facets are those of a plain reference", arguments: UInt64(1)...8)
    func likeTheReference(seed: UInt64) throws {
        var random = RandomCatalog(seed: seed)
        let products = random.products(40)
        let reference = ReferenceCatalog(products: products)
        let snapshot = CatalogSnapshot(CatalogContent(version: 1, currency: .eur, products: products))
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

    @Test("One variant alone must have all options and be in stock")
    func oneVariant() throws {
        let snapshot = CatalogSnapshot(products: [
            .sample(
                "a",
                variants: [
                    .sample("a1", ["Colour": "Navy", "Size": "M"], available: 0),
                    .sample("a2", ["Colour": "Navy", "Size": "L"]),
                    .sample("a3", ["Colour": "Pink", "Size": "M"]),
                ])
        ])
        let navyM = ["colour": ["NAVY"], "SIZE": ["m"]]
        #expect(try snapshot.ids(ProductQuery(options: navyM)) == ["a"])
        #expect(try snapshot.ids(ProductQuery(options: navyM, inStock: true)) == [])
        #expect(try snapshot.ids(ProductQuery(options: navyM, inStock: false)) == ["a"])
        #expect(try snapshot.ids(ProductQuery(options: ["Colour": ["Navy", "Pink"], "Size": ["L"]])) == ["a"])
        #expect(try snapshot.ids(ProductQuery(options: ["Colour": ["Pink"], "Size": ["L"]])) == [])
    }

    @Test("A price range is about the product's price, both ends included")
    func prices() throws {
        let snapshot = CatalogSnapshot(products: [.sample("a", price: 100), .sample("b", price: 200)])
        #expect(try snapshot.ids(ProductQuery(minPrice: 100, maxPrice: 199)) == ["a"])
        #expect(try snapshot.ids(ProductQuery(minPrice: 101, maxPrice: 200)) == ["b"])
        #expect(try snapshot.ids(ProductQuery(minPrice: 201, maxPrice: 100)) == [])
    }

    @Test("Names are sorted without regard to case and accents")
    func names() throws {
        let snapshot = CatalogSnapshot(products: [
            .sample("a", name: "zip"), .sample("b", name: "Épée"), .sample("c", name: "epee"),
            .sample("d", name: "Eagle"), .sample("e", name: "Ärmel"),
        ])
        #expect(try snapshot.ids(ProductQuery(sort: .name)) == ["e", "d", "b", "c", "a"])
    }

    @Test("A facet is counted without its own filter, the most frequent value first, ties by value")
    func facets() throws {
        let snapshot = CatalogSnapshot(products: [
            .sample("a", category: "hats", tags: ["wool", "wool"]), .sample("b", category: "socks", tags: ["wool"]),
            .sample("c", category: "socks", tags: ["new"]), .sample("d", category: "gloves", tags: ["new"]),
        ])
        let facets = try snapshot.page(ProductQuery(category: "hats", facets: true)).facets
        #expect(
            facets == [
                Facet(
                    name: "category",
                    values: [
                        .init(value: "socks", count: 2), .init(value: "gloves", count: 1),
                        .init(value: "hats", count: 1),
                    ]),
                Facet(name: "tag", values: [.init(value: "wool", count: 1)]),
            ])
    }

    @Test("A facet has at most a hundred values")
    func manyValues() throws {
        let snapshot = CatalogSnapshot(
            products: (100..<250).map { .sample("\($0)", category: "c\($0)", tags: $0 < 110 ? ["x"] : []) })
        let facets = try snapshot.page(ProductQuery(facets: true)).facets ?? []
        #expect(facets.map(\.values.count) == [100, 1])
        #expect(facets.first?.values.last?.value == "c199")
    }

    @Test("A page has 50 products by default and never more than 200")
    func limits() throws {
        let snapshot = CatalogSnapshot(products: (1000..<1300).map { .sample("\($0)") })
        #expect(try snapshot.page(ProductQuery()).items.count == 50)
        #expect(try snapshot.page(ProductQuery(limit: 1000)).items.count == 200)
        #expect(try snapshot.page(ProductQuery(limit: 0)).items.count == 1)
    }
}
