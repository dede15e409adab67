import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchPersistence
import PouchTesting
import Testing

/// The catalogue in both stores.
@Suite(.timeLimit(.minutes(5)))
struct CatalogStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let shop = [
        garment("ribbed", "Ribbed Cárdigan", price: 12900, season: "71", tags: ["wool"], colours: ["Navy", "Red"]),
        garment("plain", "Plain cardigan", price: 9900, season: "71", tags: ["cotton"], colours: ["Navy"], stock: 0),
        garment("cap", "Cap", "goes with a cardigan", price: 1900, category: "hats", season: "72", tags: ["wool"]),
        garment("scarf", "Scarf", price: 2900, category: "hats", colours: ["red"]),
    ]

    private func imported(_ kind: StoreUnderTest) async throws -> any LocalStore {
        let store = try await kind.make(in: folder)
        let hats = PouchEntities.Category(id: "hats", name: "Hats", productCount: 9)
        try await publish(shop, CatalogTaxonomy(categories: [hats]), in: store)
        return store
    }

    private func publish(
        _ products: [Product], _ taxonomy: CatalogTaxonomy = CatalogTaxonomy(), in store: any LocalStore
    ) async throws {
        let draft = try await store.beginImport()
        try await store.add(products, to: draft)
        try await store.publish(draft, taxonomy, at: Date.sample)
    }

    private func handles(_ store: any LocalStore, _ query: ProductQuery) async throws -> [String] {
        try await store.products(query).items.map(\.handle)
    }

    // MARK: Import

    @Test(arguments: StoreUnderTest.allCases)
    func `readers see the old catalogue until the new one is published whole`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let draft = try await store.beginImport()
        try await store.add([garment("new", "New")], to: draft)
        #expect(try await handles(store, ProductQuery()).count == 4)
        #expect(try await store.product(handle: "new") == nil)
        let seasons = [Season(id: "80", name: "Spring")]
        try await store.publish(draft, CatalogTaxonomy(seasons: seasons), at: Date.sample.addingTimeInterval(60))
        #expect(try await handles(store, ProductQuery()) == ["new"])
        #expect(try await store.product(handle: "cap") == nil)
        #expect(try await store.product(sku: "cap-Navy") == nil)
        #expect(try await store.seasons() == seasons)
        #expect(try await store.catalogPublishedAt() == Date.sample.addingTimeInterval(60))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an import that is abandoned, or replaced by another, leaves nothing`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let abandoned = try await store.beginImport()
        try await store.add([garment("lost", "Lost")], to: abandoned)
        try await store.abandon(abandoned)
        let overtaken = try await store.beginImport()
        try await store.add([garment("lost", "Lost")], to: overtaken)
        let draft = try await store.beginImport()
        for ended in [abandoned, overtaken] {
            let error = await #expect(throws: StoreError.self) { try await store.add(shop, to: ended) }
            #expect(error?.reason == .importEnded)
            await #expect(throws: StoreError.self) {
                try await store.publish(ended, CatalogTaxonomy(), at: Date.sample)
            }
        }
        try await store.abandon(overtaken)
        try await store.add([garment("new", "New")], to: draft)
        try await store.publish(draft, CatalogTaxonomy(), at: Date.sample)
        #expect(try await handles(store, ProductQuery()) == ["new"])
        await #expect(throws: StoreError.self) { try await store.add(shop, to: draft) }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a product replaces an earlier one with its id or its handle`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let draft = try await store.beginImport()
        try await store.add([garment("a", "Old")], to: draft)
        try await store.add(
            [garment("a", "By handle", id: "prd_other"), garment("b", "By id", id: "prd_other")], to: draft)
        try await store.publish(draft, CatalogTaxonomy(), at: Date.sample)
        #expect(try await store.products(ProductQuery()).items.map(\.name) == ["By id"])
        #expect(try await store.product(sku: "a-Navy") == nil)
    }

    // MARK: Browsing

    @Test(arguments: StoreUnderTest.allCases)
    func `products seen while browsing are stored unless a later version is`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        #expect(try await store.catalogPublishedAt() == nil)
        try await store.merge([garment("a", "First"), garment("b", "Other")])
        try await store.merge([garment("a", "Later", updated: 10)])
        try await store.merge([garment("a", "Stale", updated: 5)])
        #expect(try await store.product(handle: "a")?.name == "Later")
        #expect(try await store.product(sku: "b-Navy")?.handle == "b")
        #expect(try await store.products(ProductQuery()).items.count == 2)
        #expect(try await store.catalogPublishedAt() == nil)
    }

    /// In LAYERS promoted products were copies without a category.
    @Test(arguments: StoreUnderTest.allCases)
    func `a promotion holds the catalogue's own product, which is stored once`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let image = ProductImage(url: "/assets/promo.jpg", alt: "promo")
        let stale = garment("ribbed", "Stale", category: "", updated: -10)
        let unseen = garment("unseen", "Unseen")
        let promoted = [
            Promotion(product: unseen, image: image, position: 1), Promotion(product: stale, image: image, position: 0),
        ]
        try await store.update(CatalogTaxonomy(promotions: promoted))
        let promotions = try await store.promotions()
        #expect(promotions.map(\.product) == [shop[0], unseen] && promotions.map(\.image) == [image, image])
        #expect(try await handles(store, ProductQuery(search: "ribbed")) == ["ribbed"])
        try await publish([shop[0]], in: store)
        #expect(try await store.promotions().map(\.product.handle) == ["ribbed"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `nil in a taxonomy changes nothing; a published catalogue is counted`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        let given = [PouchEntities.Category(id: "hats", name: "Hats", productCount: 40)]
        let themes = [Theme(id: "711", name: "Sea", seasonId: "71"), Theme(id: "721", name: "Snow", seasonId: "72")]
        try await store.update(CatalogTaxonomy(themes: themes, categories: given))
        try await store.update(CatalogTaxonomy(seasons: []))
        try await store.merge(shop)
        #expect(try await store.categories(season: nil) == given)
        #expect(try await store.categories(season: "72").isEmpty)
        #expect(try await store.themes(season: "72") == [themes[1]])
        try await publish(shop, in: store)
        let hats = PouchEntities.Category(id: "hats", name: "Hats", productCount: 2)
        let cardigans = PouchEntities.Category(id: "cardigans", name: "cardigans", productCount: 2)
        #expect(try await store.categories(season: nil) == [cardigans, hats])
        #expect(try await store.categories(season: "72") == [.init(id: "hats", name: "Hats", productCount: 1)])
        #expect(try await store.themes(season: nil) == themes)
    }

    // MARK: Listing

    @Test(arguments: StoreUnderTest.allCases)
    func `products are found by every filter`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let dollars = try #require(Currency(code: "USD"))
        let expected: [(ProductQuery, [String])] = [
            (ProductQuery(category: "hats"), ["scarf", "cap"]), (ProductQuery(season: "71"), ["ribbed", "plain"]),
            (ProductQuery(theme: "711"), ["ribbed", "plain"]), (ProductQuery(tag: "wool"), ["ribbed", "cap"]),
            (ProductQuery(options: ["colour": ["RED"]]), ["scarf", "ribbed"]),
            (ProductQuery(options: ["Colour": ["Red"], "Size": ["M"]]), ["scarf", "ribbed"]),
            (ProductQuery(options: ["Colour": ["Green"]]), []), (ProductQuery(options: ["Fit": ["Slim"]]), []),
            (ProductQuery(options: ["Colour": []]), ["scarf", "ribbed", "plain", "cap"]),
            (ProductQuery(minPrice: Money(2900, .eur), maxPrice: Money(9900, .eur)), ["scarf", "plain"]),
            (ProductQuery(minPrice: Money(2900, dollars)), []), (ProductQuery(maxPrice: Money(9900, dollars)), []),
            (ProductQuery(inStock: true), ["scarf", "ribbed", "cap"]), (ProductQuery(inStock: false), ["plain"]),
            (ProductQuery(options: ["Colour": ["Navy"]], inStock: true), ["ribbed", "cap"]),
            (ProductQuery(season: "71", tag: "wool", search: "card"), ["ribbed"]),
            (ProductQuery(season: "no such"), []),
        ]
        for (query, handles) in expected { #expect(try await self.handles(store, query) == handles, "\(query)") }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a search finds beginnings of words in any case and accent, names first`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let expected = [
            ("CARDIGAN", ["plain", "ribbed", "cap"]), ("cárd", ["plain", "ribbed", "cap"]), ("card ribb", ["ribbed"]),
            ("wool", ["cap", "ribbed"]), ("ardigan", []), ("  ", ["scarf", "ribbed", "plain", "cap"]),
            ("card* \" OR 1", []), ("navy", ["cap", "plain", "ribbed"]),
        ]
        for (text, handles) in expected {
            #expect(try await self.handles(store, ProductQuery(search: text)) == handles, "\(text)")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `words are folded as on the server`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.merge([garment("shoe", "Women's Straßenschuh"), garment("bowl", "Smørrebrød bowl")])
        for (text, handle) in [("womens", "shoe"), ("strasse", "shoe"), ("smorre", "bowl"), ("SMØRRE", "bowl")] {
            #expect(try await handles(store, ProductQuery(search: text)) == [handle], "\(text)")
        }
    }

    @Test(arguments: StoreUnderTest.allCases, ProductSort.allCases)
    func `pages in every order have each product once, also while products change`(
        _ kind: StoreUnderTest, _ sort: ProductSort
    ) async throws {
        let store = try await kind.make(in: folder)
        try await store.merge((0..<23).map { garment("p\($0)", "Garment \($0 % 5)", price: Int64($0 % 4) * 100) })
        var query = ProductQuery(search: sort == .relevance ? "garment" : nil, sort: sort, limit: 5)
        let whole = try await store.products(ProductQuery(search: query.search, sort: sort, limit: 200)).items
        #expect(Set(whole.map(\.id)).count == 23)
        var found: [Product] = []
        repeat {
            let page = try await store.products(query)
            found += page.items
            query.cursor = page.nextCursor
            // Storing the last product again must not skip or repeat it on the next page.
            if let last = page.items.last { try await store.merge([last]) }
        } while query.cursor != nil
        #expect(found.map(\.id) == whole.map(\.id))
        switch sort {
        case .newest: #expect(whole.map(\.id) == whole.map(\.id).sorted(by: >))
        case .priceAscending: #expect(whole.map(\.price.amount) == whole.map(\.price.amount).sorted())
        case .priceDescending: #expect(whole.map(\.price.amount) == whole.map(\.price.amount).sorted(by: >))
        case .name: #expect(whole.map(\.name) == whole.map(\.name).sorted())
        case .relevance: #expect(whole.map(\.id) == whole.map(\.id).sorted())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a cursor of another query, or a text that is not a cursor, is an error`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        let cursor = try #require(try await store.products(ProductQuery(limit: 1)).nextCursor)
        for query in [ProductQuery(category: "hats", cursor: cursor), ProductQuery(cursor: "rubbish")] {
            let error = await #expect(throws: StoreError.self) { try await store.products(query) }
            #expect(error?.reason == .listChanged)
        }
        // Facets and another page size do not make another query.
        #expect(try await store.products(ProductQuery(facets: true, limit: 9, cursor: cursor)).items.count == 3)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `choices that differ in case only are one, the one that sorts first`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.merge([
            .sample(handle: "lily", options: ["Colour": ["navy", "NAVY"]]),
            .sample(handle: "rosa", options: ["colour": ["Navy"], "Size": ["S"]]),
        ])
        let facets = try #require(try await store.products(ProductQuery(facets: true)).facets)
        let options = facets.filter { $0.name.hasPrefix("option.") }
        #expect(options.map(\.name) == ["option.Colour", "option.Size"])
        #expect(options.first?.values == [Facet.Value(value: "NAVY", count: 2)])
        let navy = ProductQuery(options: ["COLOUR": ["navy"], "size": ["s"]], sort: .name)
        #expect(try await handles(store, navy) == ["rosa"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `any stock that a server names can be stored and filtered`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.make(in: folder)
        try await store.merge(
            [Int.min, -5, 0, 1, .max].map { .sample(sku: "hat\($0)", stock: $0) } + [.sample(sku: "none", sizes: [])])
        for inStock in [true, false] {
            let found = try await handles(store, ProductQuery(inStock: inStock, sort: .name, facets: true))
            let expected: Set = inStock ? ["hat1", "hat\(Int.max)"] : ["hat\(Int.min)", "hat-5", "hat0"]
            #expect(Set(found) == expected)
        }
        #expect(try await store.products(ProductQuery(limit: 50)).items.count == 6)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `facets are counted without their own filter and with all others`(_ kind: StoreUnderTest) async throws {
        let store = try await imported(kind)
        func facets(_ query: ProductQuery) async throws -> [String: [String]] {
            var query = query
            query.facets = true
            let facets = try await store.products(query).facets ?? []
            let counts = facets.map { ($0.name, $0.values.map { "\($0.value) \($0.count)" }) }
            return Dictionary(uniqueKeysWithValues: counts)
        }
        let all = try await facets(ProductQuery())
        #expect(
            all == [
                "category": ["cardigans 2", "hats 2"], "season": ["71 2", "72 1"], "theme": ["711 2", "721 1"],
                "tag": ["wool 2", "cotton 1"], "option.Colour": ["Navy 3", "Red 2"], "option.Size": ["M 4", "S 4"],
            ])
        let hats = try await facets(ProductQuery(category: "hats"))
        #expect(hats["category"] == all["category"] && hats["tag"] == ["wool 1"])
        let navy = try await facets(ProductQuery(options: ["colour": ["navy"]]))
        #expect(navy["option.Colour"] == all["option.Colour"])
        #expect(navy["category"] == ["cardigans 2", "hats 1"] && navy["option.Size"] == ["M 3", "S 3"])
        #expect(try await facets(ProductQuery(inStock: true))["option.Colour"] == ["Navy 2", "Red 2"])
        #expect(try await facets(ProductQuery(inStock: false))["option.Colour"] == ["Navy 1"])
        #expect(try await facets(ProductQuery(search: "scarf"))["category"] == ["hats 1"])
        #expect(try await store.products(ProductQuery()).facets == nil)
    }
}

/// The implementations of `LocalStore`.
enum StoreUnderTest: CaseIterable, Sendable {
    case memory
    case sqlite

    func make(in folder: TemporaryFolder) async throws -> any LocalStore {
        switch self {
        case .memory: MemoryStore()
        case .sqlite: try await SQLiteStore.open(at: folder.file("store.sqlite"))
        }
    }
}

private func garment(
    _ handle: String, _ name: String, _ description: String? = nil, id: String? = nil, price: Int64 = 1000,
    category: String = "cardigans", season: String? = nil, tags: [String] = [], colours: [String] = ["Navy"],
    stock: Int = 3, updated: TimeInterval = 0
) -> Product {
    let sizes = ["S", "M"]
    return Product(
        id: id ?? "prd_" + handle, handle: handle, name: name, description: description, seasonId: season,
        themeId: season.map { $0 + "1" }, category: category, tags: tags, price: Fixture.euros(price),
        options: [ProductOption(name: "Colour", values: colours), ProductOption(name: "Size", values: sizes)],
        images: [], updatedAt: Date.sample.addingTimeInterval(updated),
        variants: colours.flatMap { colour in
            sizes.map { size in
                Variant(
                    sku: "\(handle)-\(colour)" + (size == "S" ? "" : "-\(size)"),
                    options: ["Colour": colour, "Size": size], price: Fixture.euros(price), available: stock)
            }
        })
}
