import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CatalogManagerTests {
    private let time = ManualClock()
    private let store = MemoryStore()

    private func season(_ id: String) -> Season { Season(id: id, name: id) }

    private func catalog(
        over transport: any Transport, freshness: Freshness = Freshness(), random: Double = 0
    ) throws -> CatalogManager {
        CatalogManager(
            data: DataManager(service: try makeService(over: transport), store: store), freshness: freshness,
            now: { [time] in time.date }, clock: time, random: { random })
    }

    /// A shop of seasons and promotions that can be away.
    private func shop(gate: Gate? = nil) -> WebFolder {
        let web = WebFolder(gate: gate)
        web.put(json(Page(items: [season("71")])), at: "/v1/seasons")
        web.put(json(Page(items: [Theme(id: "711", name: "Sea", seasonId: "71")])), at: "/v1/themes")
        web.put(
            json(Page(items: [PouchEntities.Category(id: "hats", name: "Hats", productCount: 2)])), at: "/v1/categories"
        )
        web.put(json(Page(items: [promotion("hat", 0)])), at: "/v1/promotions")
        web.put(json(ProductPage(items: [Fixture.product("hat"), Fixture.product("cap")])), at: "/v1/products")
        web.put(json(Fixture.product("hat")), at: "/v1/products/hat")
        return web
    }

    private func promotion(_ handle: String, _ position: Int) -> Promotion {
        Promotion(
            product: Fixture.product(handle), image: ProductImage(url: "/assets/\(handle).svg", alt: ""),
            position: position)
    }

    private func json(_ value: some Encodable) -> String { String(decoding: Fixture.data(value), as: UTF8.self) }

    /// Follows until a state is as it should be.
    private func first<Value>(
        _ states: AsyncStream<CatalogState<Value>>, _ isMeant: (CatalogState<Value>) -> Bool
    ) async throws -> CatalogState<Value> {
        for await state in states where isMeant(state) { return state }
        throw CancellationError()
    }

    // MARK: Freshness

    @Test func `what is fresh comes from memory: promotions for two hours, all else for a day`() async throws {
        let web = shop()
        let catalog = try catalog(over: web)
        _ = try await (catalog.seasons(), catalog.promotions())
        time.pass(.seconds(7_199))
        _ = try await (catalog.seasons(), catalog.promotions())
        #expect(web.requests.count == 2)
        time.pass(.seconds(2))
        _ = try await (catalog.seasons(), catalog.promotions())
        while web.requests(to: "/v1/promotions") < 2 { await Task.yield() }
        #expect(web.requests(to: "/v1/seasons") == 1)
        time.pass(.seconds(80_000))
        _ = try await catalog.seasons()
        while web.requests(to: "/v1/seasons") < 2 { await Task.yield() }
    }

    @Test func `what is stale is answered at once, and what is new is told`() async throws {
        let web = shop()
        let catalog = try catalog(over: web, freshness: Freshness(promotions: .seconds(60)))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        web.put(json(Page(items: [promotion("cap", 0)])), at: "/v1/promotions")
        time.pass(.seconds(61))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        let state = try await first(catalog.promotionStates()) { $0.value?.first?.product.handle == "cap" }
        #expect(state.asOf == time.date)
        #expect(state.failure == nil)
    }

    @Test func `a refresh that fails does not count as one: in LAYERS it kept the next one away for a day`()
        async throws
    {
        let web = shop()
        web.setAway(true)
        let catalog = try catalog(over: web)
        await #expect { _ = try await catalog.seasons() } throws: { ($0 as? DataError)?.reason == .unreachable }
        web.setAway(false)
        #expect(try await catalog.seasons().map(\.id) == ["71"])
    }

    @Test func `a failure is told, and never looks like a shop without goods, as it did in LAYERS`() async throws {
        let web = shop()
        web.setAway(true)
        let catalog = try catalog(over: web)
        let failed = try await first(catalog.seasonStates()) { $0.failure != nil }
        #expect(failed.value == nil)
        #expect(failed.failure?.reason == .unreachable)
        web.put(json(Page<Season>(items: [])), at: "/v1/seasons")
        web.setAway(false)
        let empty = try await first(try self.catalog(over: web).seasonStates()) { $0.value != nil }
        #expect(empty.value == [])
        #expect(empty.failure == nil)
    }

    @Test func `a refresh that fails behind one's back is told beside what is known: in LAYERS it was dropped`()
        async throws
    {
        let web = shop()
        let catalog = try catalog(over: web)
        _ = try await catalog.promotions()
        let begin = time.date
        web.setAway(true)
        time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        let state = try await first(catalog.promotionStates()) { $0.failure != nil }
        #expect(state.value?.map(\.product.handle) == ["hat"])
        #expect(state.asOf == begin)
    }

    @Test func `the first element is the state as it is`() async throws {
        let catalog = try catalog(over: shop())
        _ = try await catalog.seasons()
        var states = catalog.seasonStates().makeAsyncIterator()
        #expect(await states.next()?.value?.map(\.id) == ["71"])
    }

    @Test func `while somebody follows it is kept fresh, and failures are tried again with growing waits`() async throws
    {
        let web = shop()
        let catalog = try catalog(over: web, freshness: Freshness(promotions: .seconds(100)))
        let states = catalog.promotionStates()
        _ = try await first(catalog.promotionStates()) { $0.value != nil }
        await time.sleepers()
        web.setAway(true)
        time.pass(.seconds(100))
        for (tries, wait) in [(2, 5), (3, 10), (4, 20), (5, 40)] {
            await time.sleepers()
            #expect(web.requests(to: "/v1/promotions") == tries)
            time.pass(.seconds(wait - 1))
            await time.sleepers()
            #expect(web.requests(to: "/v1/promotions") == tries, "\(wait) s have not passed")
            if wait == 40 { web.setAway(false) }
            time.pass(.seconds(1))
        }
        let state = try await first(states) { $0.failure == nil && $0.asOf ?? Fixture.now > Fixture.now }
        #expect(state.value?.count == 1)
        await time.sleepers()
        #expect(web.requests(to: "/v1/promotions") == 6)
    }

    @Test func `who polls a shop that is away does not hammer it: in LAYERS Home asked twice a second for ever`()
        async throws
    {
        let web = shop()
        let catalog = try catalog(over: web)
        _ = try await catalog.promotions()
        web.setAway(true)
        time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        _ = try await first(catalog.promotionStates()) { $0.failure != nil }
        for _ in 0..<100 { _ = try await catalog.promotions() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(web.requests(to: "/v1/promotions") == 2)
    }

    @Test func `when nobody follows any more nothing is left that waits`() async throws {
        let catalog = try catalog(over: shop())
        let task = Task { for await _ in catalog.seasonStates() {} }
        await time.sleepers()
        task.cancel()
        await task.value
        while time.sleeperCount > 0 { await Task.yield() }
    }

    @Test func `askers at the same time share one refresh, from any thread: in LAYERS managers had no lock`()
        async throws
    {
        let gate = Gate()
        let web = shop(gate: gate)
        let catalog = try catalog(over: web)
        try await withThrowingTaskGroup(of: [Season].self) { group in
            for _ in 0..<500 { group.addTask { try await catalog.seasons() } }
            await gate.held(1)
            gate.open()
            for try await seasons in group { #expect(seasons.map(\.id) == ["71"]) }
        }
        #expect(web.requests.count == 1)
    }

    @Test func `an asker that is cancelled goes at once and leaves the refresh to the others`() async throws {
        let gate = Gate()
        let web = shop(gate: gate)
        let catalog = try catalog(over: web)
        let first = Task { try await catalog.seasons() }
        let second = Task { try await catalog.seasons() }
        await gate.held(1)
        first.cancel()
        await #expect { _ = try await first.value } throws: { ($0 as? DataError)?.reason == .cancelled }
        gate.open()
        #expect(try await second.value.count == 1)
    }

    // MARK: Lists

    @Test func `a list of several pages is read to its end`() async throws {
        let transport = RecordingTransport { [season] request in
            request.url.query()?.contains("cursor=two") == true
                ? .json(Page(items: [season("72")])) : .json(Page(items: [season("71")], nextCursor: "two"))
        }
        #expect(try await catalog(over: transport).seasons().map(\.id) == ["71", "72"])
    }

    @Test func `a server that repeats a cursor does not keep us for ever`() async throws {
        let transport = RecordingTransport { [season] _ in .json(Page(items: [season("71")], nextCursor: "same")) }
        _ = try await catalog(over: transport).seasons()
        #expect(transport.requests.count == 2)
    }

    @Test func `the themes of each season are remembered apart`() async throws {
        let transport = RecordingTransport { request in
            let id = request.url.query() ?? "all"
            return .json(Page(items: [Theme(id: id, name: id, seasonId: "71")]))
        }
        let catalog = try catalog(over: transport)
        #expect(try await catalog.themes(season: "71").map(\.id) == ["season=71"])
        #expect(try await catalog.themes(season: "72").map(\.id) == ["season=72"])
        #expect(try await catalog.themes().map(\.id) == ["all"])
    }

    // MARK: Offline

    @Test func `an imported catalogue is read while the shop is away, and says from when it is`() async throws {
        let web = shop()
        try await catalog(over: web).refresh()
        web.setAway(true)
        time.pass(.seconds(3 * 86_400))
        // As after a start of the app.
        let catalog = try catalog(over: web)
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
        let web = shop()
        let catalog = try catalog(over: web)
        _ = try await catalog.details(handle: "hat")
        while await store.product(handle: "hat") == nil { await Task.yield() }
        web.setAway(true)
        await #expect { _ = try await catalog.products() } throws: { ($0 as? DataError)?.reason == .unreachable }
        #expect(try await catalog.details(handle: "hat").staleness?.cause.reason == .unreachable)
        await #expect(throws: DataError.self) { _ = try await catalog.product(handle: "cap") }
    }

    @Test func `a refusal of the shop is not covered up by what was kept`() async throws {
        let web = shop()
        let catalog = try catalog(over: web)
        try await catalog.refresh()
        web.put(nil, at: "/v1/products/hat")
        await #expect { _ = try await catalog.product(handle: "hat") } throws: {
            ($0 as? DataError)?.reason == .notFound
        }
    }

    // MARK: Import

    @Test func `an import is seen in one step, and tells on the way how far it is`() async throws {
        let gate = Gate()
        let transport = StubTransport { [promotion, season] request in
            switch request.url.path() {
            case "/v1/products":
                guard request.url.query()?.contains("cursor=1") == true else {
                    return .json(ProductPage(items: [Fixture.product("a"), Fixture.product("b")], nextCursor: "1"))
                }
                await gate.pass()
                return .json(ProductPage(items: [Fixture.product("c")]))
            case "/v1/seasons": return .json(Page(items: [season("71")]))
            case "/v1/categories":
                return .json(Page(items: [PouchEntities.Category(id: "hats", name: "Hats", productCount: 3)]))
            case "/v1/promotions": return .json(Page(items: [promotion("c", 0)]))
            default: return .json(Page<Theme>(items: []))
            }
        }
        let catalog = try catalog(over: transport)
        let progress = catalog.importProgress()
        let refresh = Task { try await catalog.refresh() }
        await gate.held(1)
        let half = await progress.first { $0?.products == 2 }
        #expect(half == CatalogImportProgress(products: 2, total: 3))
        #expect(await catalog.importedAt() == nil)
        #expect(await store.product(handle: "a") == nil)
        gate.open()
        try await refresh.value
        #expect(await catalog.importedAt() == Fixture.now)
        #expect(try await store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        #expect(await store.promotions().map(\.product.handle) == ["c"])
    }

    @Test func `an import reads page after page, and one that fails leaves the catalogue that was there`() async throws
    {
        let isBroken = Mutex(false)
        let transport = StubTransport { [promotion, season] request throws(NetworkError) in
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
            case "/v1/seasons": return .json(Page(items: [season("71")]))
            case "/v1/promotions": return .json(Page(items: [promotion("a", 0)]))
            default: return .json(Page<Theme>(items: []))
            }
        }
        let catalog = try catalog(over: transport)
        try await catalog.refresh()
        #expect(try await store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        isBroken.withLock { $0 = true }
        time.pass(.seconds(100))
        await #expect { try await catalog.refresh() } throws: { ($0 as? DataError)?.reason == .timedOut }
        #expect(await catalog.importedAt() == Fixture.now)
        #expect(try await store.products(ProductQuery()).items.count == 3)
    }

    @Test func `who follows a list hears of an import`() async throws {
        let web = shop()
        let catalog = try catalog(over: web)
        let listing = await catalog.listingStates(ProductQuery())
        var states = listing.makeAsyncIterator()
        while let state = await states.next(), state.value == nil {}
        web.put(json(ProductPage(items: [Fixture.product("scarf")])), at: "/v1/products")
        try await catalog.refresh()
        while let state = await states.next(), state.value?.items.map(\.handle) != ["scarf"] {}
    }

    @Test func `a shop that makes up its figures is imported all the same`() async throws {
        let web = shop()
        let categories = ["a", "b"].map { PouchEntities.Category(id: $0, name: $0, productCount: .max) }
        web.put(json(Page(items: categories)), at: "/v1/categories")
        let catalog = try catalog(over: web)
        try await catalog.refresh()
        #expect(await catalog.importedAt() == time.date)
    }

    // MARK: Feed

    private func feedCatalog(_ web: WebFolder, freshness: Freshness = Freshness()) throws -> CatalogManager {
        CatalogManager(
            data: try SampleFeed.data(web, store: store), freshness: freshness,
            now: { [time] in time.date }, clock: time, random: { 0 })
    }

    @Test func `a feed is browsed like a shop, with filters and search on what was imported`() async throws {
        let web = SampleFeed.web()
        let catalog = try feedCatalog(web)
        #expect(try await catalog.products(ProductQuery(search: "card")).items.map(\.handle) == ["ribbed-cardigan"])
        #expect(try await catalog.products(ProductQuery(category: "jumpers")).items.map(\.handle) == ["dune-jumper"])
        #expect(
            try await catalog.products(ProductQuery(options: ["Colour": ["Navy"]])).items.map(\.handle)
                == ["ribbed-cardigan"])
        #expect(try await catalog.product(handle: "harbour-scarf").price == Fixture.euros(3_900))
        #expect(try await catalog.seasons().map(\.id) == ["71", "72"])
        #expect(try await catalog.themes(season: "71").map(\.id) == ["716"])
        #expect(try await catalog.categories(season: "71").map(\.id) == ["cardigans", "jumpers"])
        #expect(try await catalog.promotions().map(\.product.handle) == ["dune-jumper", "ribbed-cardigan"])
        #expect(web.requests.count == 3)
        await #expect { _ = try await catalog.product(handle: "hat") } throws: {
            ($0 as? DataError)?.reason == .notFound
        }
        await #expect { _ = try await catalog.availability(of: ["a"]) } throws: {
            ($0 as? DataError)?.reason == .notOffered
        }
    }

    @Test func `the product of a promotion is the one of the catalogue`() async throws {
        let catalog = try feedCatalog(SampleFeed.web())
        let promoted = try #require(try await catalog.promotions().first?.product)
        #expect(try await catalog.product(handle: promoted.handle) == promoted)
        #expect(promoted.category == "jumpers")
        #expect(promoted.seasonId == "71")
    }

    @Test func `a feed that is a day old is read again behind one's back, its promotions after two hours`() async throws
    {
        let web = SampleFeed.web()
        let catalog = try feedCatalog(web)
        _ = try await catalog.promotions()
        time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        while web.requests(to: "/feed/slides.json") < 2 { await Task.yield() }
        #expect(web.requests(to: "/feed/products.json") == 1)
        let states = catalog.seasonStates()
        web.put(SampleFeed.products.replacingOccurrences(of: "Autumn", with: "Winter"), at: "/feed/products.json")
        time.pass(.seconds(80_000))
        _ = try await catalog.products()
        _ = try await first(states) { $0.value?.map(\.name) == ["Spring", "Winter"] }
        #expect(await catalog.importedAt() == time.date)
    }

    @Test func `a feed that is away or broken leaves what was imported, and says so`() async throws {
        let web = SampleFeed.web()
        _ = try await feedCatalog(web).products()
        web.put("{\"products\":[", at: "/feed/products.json")
        time.pass(.seconds(90_000))
        let catalog = try feedCatalog(web)
        await #expect { try await catalog.refresh() } throws: { ($0 as? DataError)?.reason == .unreadableAnswer }
        let listing = try await catalog.listing()
        #expect(listing.items.count == 3)
        #expect(listing.staleness?.asOf == Fixture.now)
        #expect(listing.staleness?.cause.reason == .unreadableAnswer)
    }

    @Test func `what an import has outdated is tried again soon where it cannot be read`() async throws {
        let web = SampleFeed.web()
        let catalog = try feedCatalog(web, freshness: Freshness(firstRetry: .seconds(5)))
        let states = catalog.promotionStates()
        _ = try await first(catalog.promotionStates()) { $0.value?.count == 2 }
        await time.sleepers()
        web.put("[", at: "/feed/slides.json")
        try await catalog.refresh()
        _ = try await first(catalog.promotionStates()) { $0.failure != nil }
        web.put(#"[{"style":"72101","promoImage":"72101.svg"}]"#, at: "/feed/slides.json")
        let hasCome = Mutex(false)
        async let new = first(states) { state in
            hasCome.withLock { $0 = state.value?.map(\.product.handle) == ["harbour-scarf"] }
            return hasCome.withLock { $0 }
        }
        while !hasCome.withLock({ $0 }), time.date < Fixture.now + 600 {
            time.pass(.seconds(1))
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(hasCome.withLock { $0 })
        _ = try await new
    }

    @Test func `promotions of an earlier process do not pass for as fresh as the catalogue that was imported since`()
        async throws
    {
        let web = SampleFeed.web()
        try await feedCatalog(web).refresh()
        let product = try #require(await store.product(handle: "harbour-scarf"))
        let old = Promotion(product: product, image: ProductImage(url: "/assets/old.svg", alt: ""), position: 0)
        await store.update(CatalogOutline(promotions: [old]))
        let catalog = try feedCatalog(web)
        #expect(try await catalog.promotions() == [old])
        while web.requests(to: "/feed/slides.json") < 1 { await Task.yield() }
    }

    @Test func `while a feed is away, what is kept of its files is not imported again and again`() async throws {
        let web = SampleFeed.web()
        let catalog = try feedCatalog(web)
        try await catalog.refresh()
        web.setAway(true)
        time.pass(.seconds(90_000))
        for _ in 0..<3 {
            await #expect { try await catalog.refresh() } throws: { ($0 as? DataError)?.reason == .unreachable }
        }
        #expect(try await catalog.listing().staleness?.asOf == Fixture.now)
        #expect(await store.beginImport().number == 2)
    }

    @Test func `the first read of a feed that fails is an error, and the next one tries again`() async throws {
        let web = SampleFeed.web()
        web.setAway(true)
        let catalog = try feedCatalog(web)
        await #expect { _ = try await catalog.products() } throws: { ($0 as? DataError)?.reason == .unreachable }
        web.setAway(false)
        #expect(try await catalog.products().items.count == 3)
    }
}
