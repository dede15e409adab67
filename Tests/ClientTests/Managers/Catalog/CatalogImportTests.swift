import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import Synchronization
import Testing

/// The whole catalogue of a server on this device, and what there is without the server.
@Suite(.timeLimit(.minutes(1)))
struct CatalogImportTests {
    private let test = CatalogUnderTest()

    // MARK: Without the server

    @Test func `an imported catalogue is read while the shop is away, and says from when it is`() async throws {
        let web = CatalogUnderTest.shop()
        try await test.catalog(over: web).refresh()
        web.setAway(true)
        test.time.pass(.seconds(3 * 86_400))
        // As after a start of the app.
        let catalog = try test.catalog(over: web)
        let listing = try await catalog.listing(ProductQuery(search: "cap"))
        #expect(listing.items.map(\.handle) == ["cap"])
        #expect(listing.staleness?.asOf == Fixture.now)
        #expect(listing.staleness?.cause.reason == .unreachable)
        #expect(try await catalog.details(handle: "cap").staleness?.asOf == Fixture.now)
        #expect(try await catalog.categories().map(\.id) == ["hats"])
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        #expect(try await catalog.seasons().map(\.id) == ["71"])
        web.setAway(false)
        #expect(try await catalog.listing().staleness == nil)
    }

    @Test func `without an import a shop that is away is an error, and not the few products that were looked at`()
        async throws
    {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        _ = try await catalog.details(handle: "hat")
        while await test.store.product(handle: "hat") == nil { await Task.yield() }
        web.setAway(true)
        await #expect { _ = try await catalog.products() } throws: { ($0 as? DataError)?.reason == .unreachable }
        #expect(try await catalog.details(handle: "hat").staleness?.cause.reason == .unreachable)
        await #expect(throws: DataError.self) { _ = try await catalog.product(handle: "cap") }
        await test.store.merge([StubShop.rosa])
        for season in [nil, StubShop.rosa.seasonId] {
            await #expect(throws: DataError.self) { _ = try await catalog.categories(season: season) }
        }
    }

    @Test func `a refusal of the shop is not covered up by what was kept`() async throws {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        try await catalog.refresh()
        web.put(nil, at: "/v1/products/hat")
        await #expect { _ = try await catalog.product(handle: "hat") } throws: {
            ($0 as? DataError)?.reason == .notFound
        }
    }

    // MARK: Import

    @Test func `an import is seen in one step, and tells on the way how far it is`() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            switch request.url.path() {
            case "/v1/products":
                guard request.url.query()?.contains("cursor=1") == true else {
                    return .json(ProductPage(items: [Fixture.product("a"), Fixture.product("b")], nextCursor: "1"))
                }
                await gate.pass()
                return .json(ProductPage(items: [Fixture.product("c")]))
            case "/v1/seasons": return .json(Page(items: [Fixture.season("71")]))
            case "/v1/categories":
                return .json(Page(items: [PouchEntities.Category(id: "hats", name: "Hats", productCount: 3)]))
            case "/v1/promotions": return .json(Page(items: [Fixture.promotion("c", 0)]))
            default: return .json(Page<Theme>(items: []))
            }
        }
        let catalog = try test.catalog(over: transport)
        let progress = catalog.importProgress()
        let refresh = Task { try await catalog.refresh() }
        await gate.held(1)
        let half = await progress.first { $0?.products == 2 }
        #expect(half == CatalogImportProgress(products: 2, total: 3))
        #expect(await catalog.importedAt() == nil)
        #expect(await test.store.product(handle: "a") == nil)
        gate.open()
        try await refresh.value
        #expect(await catalog.importedAt() == Fixture.now)
        #expect(try await test.store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        #expect(await test.store.promotions().map(\.product.handle) == ["c"])
    }

    @Test func `an import reads page after page, and one that fails leaves the catalogue that was there`() async throws
    {
        let isBroken = Mutex(false)
        let transport = StubTransport { request throws(NetworkError) in
            switch request.url.path() {
            case "/v1/products":
                let query = request.url.query() ?? ""
                if query.contains("cursor=1") {
                    return .json(ProductPage(items: [Fixture.product("b")], nextCursor: "2"))
                }
                if query.contains("cursor=2") {
                    if isBroken.withLock({ $0 }) { throw .timedOut }
                    return .json(ProductPage(items: [Fixture.product("c")]))
                }
                return .json(ProductPage(items: [Fixture.product("a")], nextCursor: "1"))
            case "/v1/seasons": return .json(Page(items: [Fixture.season("71")]))
            case "/v1/promotions": return .json(Page(items: [Fixture.promotion("a", 0)]))
            default: return .json(Page<Theme>(items: []))
            }
        }
        let catalog = try test.catalog(over: transport)
        try await catalog.refresh()
        #expect(try await test.store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        isBroken.withLock { $0 = true }
        test.time.pass(.seconds(100))
        await #expect { try await catalog.refresh() } throws: { ($0 as? DataError)?.reason == .timedOut }
        #expect(await catalog.importedAt() == Fixture.now)
        #expect(try await test.store.products(ProductQuery()).items.count == 3)
    }

    @Test func `who follows a list hears of an import`() async throws {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        let listing = await catalog.listingStates(ProductQuery())
        var states = listing.makeAsyncIterator()
        while let state = await states.next(), state.value == nil {}
        web.put(Fixture.text(ProductPage(items: [Fixture.product("scarf")])), at: "/v1/products")
        try await catalog.refresh()
        while let state = await states.next(), state.value?.items.map(\.handle) != ["scarf"] {}
    }

    @Test func `a shop that makes up its figures is imported all the same`() async throws {
        let web = CatalogUnderTest.shop()
        let categories = ["a", "b"].map { PouchEntities.Category(id: $0, name: $0, productCount: .max) }
        web.put(Fixture.text(Page(items: categories)), at: "/v1/categories")
        let catalog = try test.catalog(over: web)
        try await catalog.refresh()
        #expect(await catalog.importedAt() == test.time.date)
    }
}
