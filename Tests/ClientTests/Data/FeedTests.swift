import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FeedTests {
    private let reports = RowReports()

    private struct Feed {
        var products: [Product] = []
        var taxonomy = CatalogTaxonomy()
    }

    private func source(_ web: WebFolder) throws -> FeedSource {
        try SampleFeed.source(web) { [reports] in reports.add($0) }
    }

    private func products(_ web: WebFolder) async throws -> Feed { try await read(try source(web)) }

    private func read(_ source: FeedSource) async throws -> Feed {
        var feed = Feed()
        let taxonomy = try await source.readAll(at: Date.sample, newerThan: nil) { products, total in
            feed.products += products
            #expect(total == products.count)
        }
        feed.taxonomy = try #require(taxonomy.value)
        return feed
    }

    private func row(_ fields: String) -> String {
        "{\"name\":\"Hat\",\"style\":\"71001\",\"category\":\"Hats\",\"price\":{\"retail\":10},\(fields)}"
    }

    private func feed(_ rows: String...) -> WebFolder {
        SampleFeed.web(seasons: nil, products: "{\"products\":[\(rows.joined(separator: ",\n"))]}", slides: nil)
    }

    @Test func `the three files become the model`() async throws {
        let found = try await products(SampleFeed.web())
        #expect(found.products.map(\.handle) == ["ribbed-cardigan", "dune-jumper", "harbour-scarf"])
        let cardigan = try #require(found.products.first)
        #expect(cardigan.styleCode == "71616" && cardigan.category == "cardigans")
        #expect(cardigan.price == Fixture.euros(12_900))
        #expect(cardigan.variants.map(\.sku) == ["71616-18-s", "71616-18-m", "71616-39-s", "71616-39-m"])
        #expect(cardigan.variants.map(\.available) == [2, 0, 0, 0])
        #expect(cardigan.options.map(\.values) == [["Anthracite", "Navy"], ["S", "M"]])
        #expect(cardigan.images.map(\.url) == ["/assets/products/71616-39.svg", "/assets/products/71616-18.svg"])
        #expect(found.taxonomy.categories?.map(\.id) == ["cardigans", "jumpers", "scarves"])
        #expect(found.taxonomy.categories?.map(\.productCount) == [1, 1, 1])
        #expect(reports.all.isEmpty)
    }

    @Test func `every product has its season and theme, also if only rows name them (unset in LAYERS)`() async throws {
        let found = try await products(SampleFeed.web())
        #expect(found.products.map(\.seasonId) == ["71", "71", "72"])
        #expect(found.products.map(\.themeId) == ["716", "716", nil])
        #expect(found.taxonomy.seasons?.map(\.name) == ["Spring", "Autumn"])
        #expect(found.taxonomy.themes?.map(\.id) == ["716"])
    }

    @Test func `an unknown colour is a reported row, not a crash or the end of the feed (as in LAYERS)`() async throws {
        let found = try await products(feed(row(#""colors":[18,99],"sizes":["s"]"#), row(#""colors":[98]"#)))
        #expect(found.products.map { $0.variants.map(\.sku) } == [["71001-18-s"]])
        #expect(reports.all.map { "\($0.list) \($0.row)" } == ["products.json 0", "products.json 1"])
        #expect(reports.all.first?.reason == "line 1, colors: unknown_colour")
    }

    @Test(arguments: [
        "7", "null", "[]", #""hat""#, "{}", #"{"name":"Hat"}"#,
        #"{"name":"Hat","style":"x","category":"Hats","price":{"retail":10}}"#,
        #"{"name":"Hat","style":"71002","category":"Hats","price":{"retail":-1}}"#,
        #"{"name":"Hat","style":"71002","category":"Hats","price":{"retail":1,"currencyCode":"USD"}}"#,
        #"{"name":"Hat","style":"71002","category":"Hats","price":{"retail":1},"colors":"red"}"#,
    ])
    func `a bad row is reported, and the feed is read`(bad: String) async throws {
        #expect(try await products(feed(bad, row(#""sizes":["one"]"#))).products.map(\.handle) == ["hat"])
        #expect(reports.all.map(\.row) == [0])
    }

    @Test func `two rows of a garment become one product (two in LAYERS)`() async throws {
        let found = try await products(feed(row(#""colors":[18],"sizes":["s"]"#), row(#""colors":[39],"sizes":["s"]"#)))
        #expect(found.products.map { $0.variants.map(\.sku) } == [["71001-18-s", "71001-39-s"]])
    }

    @Test func `a SKU of two products belongs to the first, and the second has one of its own`() async throws {
        let other =
            #"{"name":"Cap","style":"71001-18","category":"Hats","price":{"retail":9},"sizes":["s","m"]}"#
        let found = try await products(feed(row(#""colors":[18],"sizes":["s"]"#), other))
        #expect(found.products.map { $0.variants.map(\.sku) } == [["71001-18-s"], ["71001-18-s-cap-s", "71001-18-m"]])
        #expect(reports.all.isEmpty)
    }

    @Test func `a promotion holds the catalogue's product with its category (missing in LAYERS)`() async throws {
        let source = try source(SampleFeed.web())
        let found = try await read(source)
        let promotions = try await source.promotions { [found] styles in
            #expect(styles == ["71616", "71617"])
            return Dictionary(uniqueKeysWithValues: found.products.map { ($0.styleCode ?? "", $0) })
        }.value
        #expect(promotions.map(\.product) == [found.products[1], found.products[0]])
        #expect(promotions.map(\.product.category) == ["jumpers", "cardigans"])
        #expect(promotions.map(\.image.url) == ["/assets/slides/71617.svg", "/assets/products/71616-39.svg"])
        #expect(promotions.map(\.position) == [0, 1])
    }

    @Test func `a promotion of an unknown product is reported, and the others move up`() async throws {
        let source = try source(SampleFeed.web())
        let found = try await read(source)
        let promotions = try await source.promotions { [found] _ in ["71616": found.products[0]] }.value
        #expect(promotions.map { "\($0.position) \($0.product.handle)" } == ["0 ribbed-cardigan"])
        #expect(reports.all.map(\.list) == ["slides.json"])
    }

    @Test func `products of a season that is not on sale are not shown`() async throws {
        let seasons = """
            {"seasons":[{"id":"71","name":"Spring","endsAt":"2020-01-01"},
            {"id":"72","name":"Autumn","startsAt":"2020-01-01"}]}
            """
        let found = try await products(SampleFeed.web(seasons: seasons))
        #expect(found.products.map(\.handle) == ["harbour-scarf"])
        #expect(found.taxonomy.seasons?.map(\.id) == ["72"])
        #expect(found.taxonomy.categories?.map(\.id) == ["scarves"])
    }

    @Test func `a feed may omit seasons and slides, but not products`() async throws {
        let source = try source(SampleFeed.web(seasons: nil, slides: nil))
        #expect(try await read(source).taxonomy.seasons?.map(\.name) == ["Spring", "Autumn"])
        #expect(try await source.promotions { _ in [:] }.value.isEmpty)
        #expect(await thrownReason { try await products(SampleFeed.web(products: nil)) } == .notFound)
    }

    @Test(arguments: [#"{"products":[{"name":"#, "{}", #"{"products":{}}"#, "<html></html>", "", "[]"])
    func `a file whose rows cannot be separated is an error`(text: String) async throws {
        #expect(await thrownReason { try await products(SampleFeed.web(products: text)) } == .unreadableAnswer)
    }

    @Test func `a file with a byte order mark is read`() async throws {
        #expect(try await products(SampleFeed.web(products: "\u{FEFF}" + SampleFeed.products)).products.count == 3)
    }

    @Test func `a file that has not changed is not sent again`() async throws {
        let web = SampleFeed.web()
        let source = try source(web)
        for _ in 0..<2 { #expect(try await read(source).taxonomy.seasons?.map(\.id) == ["71", "72"]) }
        #expect(web.requests.map { $0.headers["If-None-Match"] == nil } == [true, true, false, false])
    }
}
