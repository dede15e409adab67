import PouchDomain
import PouchEntities
import Testing

@Suite("Pages of the catalogue")
struct CatalogPagingTests {
    @Test(
        "What stays is listed exactly once while products come and go between pages",
        arguments: [ProductSort.newest, .priceAscending, .priceDescending, .name], UInt64(1)...6)
    func changesBetweenPages(sort: ProductSort, seed: UInt64) throws {
        var random = RandomCatalog(seed: seed)
        var products = random.products(30)
        var query = ProductQuery(inStock: random.chance(2) ? true : nil, sort: sort, limit: 200)
        var alwaysThere = Set(try CatalogSnapshot(products: products).ids(query))
        query.limit = 3
        var seen: [String] = []
        var position: ProductPosition?
        var number = 100
        repeat {
            let snapshot = CatalogSnapshot(version: Int64(number), products: products)
            let listing = try snapshot.page(query, after: position)
            seen += listing.items.map(\.id)
            position = listing.next
            products.removeAll { _ in random.chance(10) }
            // Some come late with an early id, so that they land on pages that were read already.
            for _ in 0..<2 {
                number += 1
                products.append(random.product(number: random.chance(2) ? number : number - 9_000))
            }
            alwaysThere.formIntersection(products.map(\.id))
        } while position != nil && number < 1000
        #expect(position == nil)
        #expect(Set(seen).count == seen.count)
        #expect(alwaysThere.subtracting(seen) == [])
    }

    @Test("Pages put together are the whole list, for every sort", arguments: ProductSort.allCases)
    func whole(sort: ProductSort) throws {
        var random = RandomCatalog(seed: 11)
        let snapshot = CatalogSnapshot(products: random.products(60))
        var query = ProductQuery(search: "s", sort: sort, limit: 200)
        let whole = try snapshot.ids(query)
        #expect(whole.count > 20)
        query.limit = 7
        #expect(try snapshot.all(query).map(\.id) == whole)
    }

    @Test("A list that ends with a page has no next one")
    func exactEnd() throws {
        let snapshot = CatalogSnapshot(products: [.sample("a"), .sample("b")])
        #expect(try snapshot.page(ProductQuery(limit: 2)).next == nil)
        #expect(try snapshot.page(ProductQuery(limit: 1)).next != nil)
    }

    @Test("A position behind which everything is gone gives an empty last page")
    func nothingLeft() throws {
        let full = CatalogSnapshot(products: [.sample("a"), .sample("b")])
        let position = try full.page(ProductQuery(limit: 1)).next
        let listing = try CatalogSnapshot(products: [.sample("b")]).page(ProductQuery(), after: position)
        #expect(listing.items.isEmpty)
        #expect(listing.next == nil)
    }

    @Test("A position by relevance is good for its own version alone")
    func expiry() throws {
        let products = [Product.sample("a", name: "sock"), .sample("b", name: "sock")]
        let query = ProductQuery(search: "sock", limit: 1)
        let first = CatalogSnapshot(version: 1, products: products)
        let position = try first.page(query).next
        #expect(try first.withAvailability(["a-1": 9]).page(query, after: position).items.map(\.id) == ["b"])
        #expect(throws: CatalogQueryError.positionExpired) {
            try CatalogSnapshot(version: 2, products: products).page(query, after: position)
        }
    }

    @Test(
        "A position of another query is refused",
        arguments: [
            ProductQuery(sort: .name), ProductQuery(season: "1"), ProductQuery(theme: "1"), ProductQuery(tag: "1"),
            ProductQuery(category: "1"), ProductQuery(minPrice: 1), ProductQuery(maxPrice: 1),
            ProductQuery(inStock: true), ProductQuery(inStock: false), ProductQuery(search: "1", sort: .newest),
            ProductQuery(options: ["1": ["2"]]), ProductQuery(options: ["2": ["1"]]),
        ])
    func mismatch(other: ProductQuery) throws {
        let snapshot = CatalogSnapshot(products: [.sample("a"), .sample("b")])
        let position = try snapshot.page(ProductQuery(limit: 1)).next
        #expect(throws: CatalogQueryError.positionMismatch) { try snapshot.page(other, after: position) }
    }

    @Test("Another value of an option makes another query")
    func optionValues() throws {
        let small = (1...3).map { Product.sample("\($0)", variants: [.sample("\($0)", ["Size": "S"])]) }
        let snapshot = CatalogSnapshot(products: small)
        let position = try snapshot.page(ProductQuery(options: ["Size": ["S"]], limit: 1)).next
        #expect(throws: CatalogQueryError.positionMismatch) {
            try snapshot.page(ProductQuery(options: ["Size": ["S", "M"]]), after: position)
        }
    }

    @Test("Limit, facets and the spelling of options may change from page to page")
    func sameFilters() throws {
        let navy = (1...3).map { Product.sample("\($0)", variants: [.sample("\($0)", ["Colour": "Navy"])]) }
        let snapshot = CatalogSnapshot(products: navy)
        let position = try snapshot.page(ProductQuery(options: ["Colour": ["Navy", "Pink"]], limit: 1)).next
        let query = ProductQuery(options: ["colour": ["pink", "NAVY"]], facets: true, limit: 9)
        #expect(try snapshot.page(query, after: position).items.map(\.id) == ["2", "1"])
    }
}
