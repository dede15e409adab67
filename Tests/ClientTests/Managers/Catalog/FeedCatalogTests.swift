import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchTesting
import Synchronization
import Testing

/// The catalogue of a feed.
@Suite(.timeLimit(.minutes(5)))
struct FeedCatalogTests {
    private let test = CatalogUnderTest()
    private let web = SampleFeed.web()
    private let catalog: CatalogManager

    init() throws { catalog = try test.feedCatalog(web) }

    @Test func `a feed is browsed like a shop, with filters and search on the import`() async throws {
        #expect(try await catalog.products(ProductQuery(search: "card")).items.map(\.handle) == ["ribbed-cardigan"])
        #expect(try await catalog.products(ProductQuery(category: "jumpers")).items.map(\.handle) == ["dune-jumper"])
        let navy = try await catalog.products(ProductQuery(options: ["Colour": ["Navy"]]))
        #expect(navy.items.map(\.handle) == ["ribbed-cardigan"])
        #expect(try await catalog.product(handle: "harbour-scarf").price == Fixture.euros(3_900))
        #expect(try await catalog.seasons().map(\.id) == ["71", "72"])
        #expect(try await catalog.themes(season: "71").map(\.id) == ["716"])
        #expect(try await catalog.categories(season: "71").map(\.id) == ["cardigans", "jumpers"])
        #expect(try await catalog.promotions().map(\.product.handle) == ["dune-jumper", "ribbed-cardigan"])
        #expect(web.requests.count == 3)
        #expect(await thrownReason { try await catalog.product(handle: "hat") } == .notFound)
        #expect(await thrownReason { try await catalog.availability(of: ["a"]) } == .notOffered)
    }

    @Test func `a promotion's product is that of the catalogue`() async throws {
        let promoted = try #require(try await catalog.promotions().first?.product)
        #expect(try await catalog.product(handle: promoted.handle).value == promoted)
        #expect(promoted.category == "jumpers" && promoted.seasonId == "71")
    }

    @Test func `a feed is read again in the background after a day, its promotions after two hours`() async throws {
        _ = try await catalog.promotions()
        test.time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        try await eventually { web.requests(to: "/feed/slides.json") >= 2 }
        #expect(web.requests(to: "/feed/products.json") == 1)
        let states = catalog.seasonStates()
        web.put(SampleFeed.products.replacingOccurrences(of: "Autumn", with: "Winter"), at: "/feed/products.json")
        test.time.pass(.seconds(80_000))
        _ = try await catalog.products()
        _ = try await first(states) { $0.value?.map(\.name) == ["Spring", "Winter"] }
        #expect(await catalog.importedAt() == test.time.date)
    }

    @Test func `an unreachable or broken feed leaves the earlier import, which is stale`() async throws {
        _ = try await test.feedCatalog(web).products()
        web.put("{\"products\":[", at: "/feed/products.json")
        test.time.pass(.seconds(90_000))
        let catalog = try test.feedCatalog(web)
        #expect(await thrownReason { try await catalog.refresh() } == .unreadableAnswer)
        let listing = try await catalog.products()
        #expect(listing.items.count == 3 && listing.asOf == Date.sample)
        #expect(listing.failure?.reason == .unreadableAnswer)
    }

    @Test func `a list that an import outdated is retried soon after a failure`() async throws {
        var freshness = Freshness()
        freshness.firstRetry = .seconds(5)
        let catalog = try test.feedCatalog(web, freshness: freshness)
        let states = catalog.promotionStates()
        _ = try await first(catalog.promotionStates()) { $0.value?.count == 2 }
        await test.time.sleepers()
        web.put("[", at: "/feed/slides.json")
        try await catalog.refresh()
        _ = try await first(catalog.promotionStates()) { $0.failure != nil }
        web.put(#"[{"style":"72101","promoImage":"72101.svg"}]"#, at: "/feed/slides.json")
        let hasCome = Mutex(false)
        async let new = first(states) { state in
            hasCome.withLock { $0 = state.value?.map(\.product.handle) == ["harbour-scarf"] }
            return hasCome.withLock { $0 }
        }
        // Each second in turn, whichever pauses the manager makes.
        try await eventually {
            test.time.pass(.seconds(1))
            return hasCome.withLock { $0 }
        }
        _ = try await new
    }

    @Test func `promotions of an earlier process do not count as fresh because of a later import`() async throws {
        try await test.feedCatalog(web).refresh()
        let product = try #require(await test.store.product(handle: "harbour-scarf"))
        let old = Promotion(product: product, image: ProductImage(url: "/assets/old.svg", alt: ""), position: 0)
        await test.store.update(CatalogTaxonomy(promotions: [old]))
        #expect(try await test.feedCatalog(web).promotions() == [old])
        try await eventually { web.requests(to: "/feed/slides.json") >= 1 }
    }

    @Test func `while a feed is unreachable, its cached files are imported once`() async throws {
        try await catalog.refresh()
        web.setAway(true)
        test.time.pass(.seconds(90_000))
        for _ in 0..<3 { #expect(await thrownReason { try await catalog.refresh() } == .unreachable) }
        #expect(try await catalog.products().asOf == Date.sample)
        #expect(await test.store.beginImport().number == 2)
    }

    @Test func `a failed first read of a feed is an error, and the next read tries again`() async throws {
        web.setAway(true)
        #expect(await thrownReason { try await catalog.products() } == .unreachable)
        web.setAway(false)
        #expect(try await catalog.products().items.count == 3)
    }
}
