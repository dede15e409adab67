import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchTesting
import Testing

/// The catalogue of a server: its refreshes and imports, the states that they publish, and its use without the server.
@Suite(.timeLimit(.minutes(5)))
struct CatalogManagerTests {
    private let test = CatalogUnderTest()
    private let web = CatalogUnderTest.shop()
    private let catalog: CatalogManager

    init() throws { catalog = try test.catalog(over: web) }

    @Test func `a stale value is returned at once, and the new one is published`() async throws {
        let catalog = try test.catalog(over: web, freshness: Freshness(promotions: .seconds(60)))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        web.put(Fixture.text(Page(items: [Promotion.sample(of: Fixture.product("cap"))])), at: "/v1/promotions")
        test.time.pass(.seconds(61))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        let state = try await first(catalog.promotionStates()) { $0.value?.first?.product.handle == "cap" }
        #expect(state.asOf == test.time.date && state.failure == nil)
    }

    @Test func `by itself the catalogue is fresh for a day, and promotions for two hours`() async throws {
        for (path, read, fresh) in [
            ("/v1/promotions", { _ = try await catalog.promotions() }, 7_200),
            ("/v1/seasons", { _ = try await catalog.seasons() }, 86_400),
        ] as [(String, () async throws -> Void, Int)] {
            try await read()
            let before = web.requests(to: path)
            test.time.pass(.seconds(fresh - 1))
            try await read()
            #expect(web.requests(to: path) == before)
            test.time.pass(.seconds(2))
            try await read()
            try await eventually { web.requests(to: path) == before + 1 }
        }
    }

    @Test func `a failed refresh does not count as one: in LAYERS it delayed the next one by a day`() async throws {
        web.setAway(true)
        #expect(await thrownReason { try await catalog.seasons() } == .unreachable)
        web.setAway(false)
        #expect(try await catalog.seasons().map(\.id) == ["71"])
    }

    @Test func `a failure is published, and does not look like an empty shop as in LAYERS`() async throws {
        web.setAway(true)
        let failed = try await first(catalog.seasonStates()) { $0.failure != nil }
        #expect(failed.value == nil && failed.failure?.reason == .unreachable)
        web.put(Fixture.text(Page<Season>(items: [])), at: "/v1/seasons")
        web.setAway(false)
        let empty = try await first(try test.catalog(over: web).seasonStates()) { $0.value != nil }
        #expect(empty.value == [] && empty.failure == nil)
    }

    @Test func `a failed background refresh is published with the old value: LAYERS dropped it`() async throws {
        _ = try await catalog.promotions()
        let begin = test.time.date
        web.setAway(true)
        test.time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        let state = try await first(catalog.promotionStates()) { $0.failure != nil }
        #expect(state.value?.map(\.product.handle) == ["hat"] && state.asOf == begin)
    }

    @Test func `the first element is the current state`() async throws {
        _ = try await catalog.seasons()
        var states = catalog.seasonStates().makeAsyncIterator()
        #expect(await states.next()?.value?.map(\.id) == ["71"])
    }

    @Test func `with a subscriber, a value is kept fresh, and failures are retried after longer pauses`() async throws {
        let catalog = try test.catalog(over: web, freshness: Freshness(promotions: .seconds(100)))
        let states = catalog.promotionStates()
        _ = try await first(catalog.promotionStates()) { $0.value != nil }
        await test.time.sleepers()
        web.setAway(true)
        test.time.pass(.seconds(100))
        for (tries, wait) in [(2, 5), (3, 10), (4, 20), (5, 40)] {
            await test.time.sleepers()
            #expect(web.requests(to: "/v1/promotions") == tries)
            test.time.pass(.seconds(wait - 1))
            await test.time.sleepers()
            #expect(web.requests(to: "/v1/promotions") == tries, "\(wait) s have not passed")
            if wait == 40 { web.setAway(false) }
            test.time.pass(.seconds(1))
        }
        #expect(try await first(states) { $0.failure == nil && $0.asOf ?? Date.sample > Date.sample }.value?.count == 1)
        await test.time.sleepers()
        #expect(web.requests(to: "/v1/promotions") == 6)
    }

    @Test func `polling does not flood an unreachable shop: in LAYERS Home asked twice a second`() async throws {
        _ = try await catalog.promotions()
        web.setAway(true)
        test.time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        _ = try await first(catalog.promotionStates()) { $0.failure != nil }
        for _ in 0..<100 { _ = try await catalog.promotions() }
        await turnsPass(100)
        #expect(web.requests(to: "/v1/promotions") == 2)
    }

    @Test func `after the last subscription no task waits`() async throws {
        let task = Task { for await _ in catalog.seasonStates() {} }
        await test.time.sleepers()
        task.cancel()
        await task.value
        try await eventually { test.time.sleeperCount == 0 }
    }

    @Test func `simultaneous callers share one refresh, on any thread: in LAYERS managers had no lock`() async throws {
        let gate = Gate()
        let web = CatalogUnderTest.shop(gate: gate)
        let catalog = try test.catalog(over: web)
        try await withThrowingTaskGroup(of: [Season].self) { group in
            for _ in 0..<500 { group.addTask { try await catalog.seasons() } }
            await gate.held(1)
            gate.open()
            for try await seasons in group { #expect(seasons.map(\.id) == ["71"]) }
        }
        #expect(web.requests.count == 1)
    }

    @Test func `a cancelled caller returns at once, and leaves the refresh to the others`() async throws {
        let gate = Gate()
        let web = CatalogUnderTest.shop(gate: gate)
        let catalog = try test.catalog(over: web)
        let first = Task { try await catalog.seasons() }
        let second = Task { try await catalog.seasons() }
        await gate.held(1)
        first.cancel()
        #expect(await thrownReason { try await first.value } == .cancelled)
        gate.open()
        #expect(try await second.value.count == 1)
    }

    // MARK: Lists

    @Test func `a list of several pages is read to its end`() async throws {
        let transport = RecordingTransport { request in
            request.url.query()?.contains("cursor=two") == true
                ? .json(Page(items: [Season.sample(id: "72")]))
                : .json(Page(items: [Season.sample(id: "71")], nextCursor: "two"))
        }
        #expect(try await test.catalog(over: transport).seasons().map(\.id) == ["71", "72"])
    }

    @Test(arguments: [["one": "one"], ["one": "two", "two": "one"]])
    func `repeated cursors end with an error`(_ next: [String: String]) async throws {
        let transport = RecordingTransport { request in
            let cursor = next.first { request.url.query()?.contains("cursor=\($0.key)") == true }?.value
            return .json(Page(items: [Season.sample(id: "71")], nextCursor: cursor ?? "one"))
        }
        #expect(await thrownReason { try await test.catalog(over: transport).seasons() } == .unreadableAnswer)
        #expect(transport.requests.count == next.count + 1)
    }

    @Test func `the themes of each season are remembered separately`() async throws {
        let transport = RecordingTransport { request in
            let id = request.url.query() ?? "all"
            return .json(Page(items: [Theme(id: id, name: id, seasonId: "71")]))
        }
        let catalog = try test.catalog(over: transport)
        #expect(try await catalog.themes(season: "71").map(\.id) == ["season=71"])
        #expect(try await catalog.themes(season: "72").map(\.id) == ["season=72"])
        #expect(try await catalog.themes().map(\.id) == ["all"])
    }

    // MARK: Without the server

    @Test func `an imported catalogue is read while the shop is unreachable, with its age`() async throws {
        try await test.catalog(over: web).refresh()
        web.setAway(true)
        test.time.pass(.seconds(3 * 86_400))
        // After a restart of the app.
        let catalog = try test.catalog(over: web)
        let listing = try await catalog.products(ProductQuery(search: "cap"))
        #expect(listing.items.map(\.handle) == ["cap"] && listing.asOf == Date.sample)
        #expect(listing.failure?.reason == .unreachable)
        #expect(try await catalog.product(handle: "cap").asOf == Date.sample)
        #expect(try await catalog.categories().map(\.id) == ["hats"])
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        #expect(try await catalog.seasons().map(\.id) == ["71"])
        web.setAway(false)
        #expect(try await catalog.products().failure == nil)
    }

    @Test func `an import is kept: repeated after a failure and when it is a day old, and not before`() async throws {
        web.setAway(true)
        let keeping = Task { await catalog.keepImported(every: .seconds(600)) }
        #expect(await test.time.sleepers() == .seconds(600))
        #expect(await catalog.importedAt() == nil)
        web.setAway(false)
        test.time.pass(.seconds(600))
        try await eventually { web.requests(to: "/v1/products") == 1 }
        let imports = web.requests(to: "/v1/products")
        await test.time.advance(by: .seconds(86_000))
        await test.time.sleepers()
        #expect(web.requests(to: "/v1/products") == imports)
        test.time.pass(.seconds(1_000))
        try await eventually { web.requests(to: "/v1/products") == imports + 1 }
        keeping.cancel()
        await keeping.value
    }

    @Test func `without an import, an unreachable shop is an error, not a list of opened products`() async throws {
        _ = try await catalog.product(handle: "hat")
        #expect(await test.store.product(handle: "hat") != nil)
        web.setAway(true)
        #expect(await thrownReason { try await catalog.products() } == .unreachable)
        #expect(try await catalog.product(handle: "hat").failure?.reason == .unreachable)
        await #expect(throws: DataError.self) { _ = try await catalog.product(handle: "cap") }
        await test.store.merge([TestShop.rosa])
        for season in [nil, TestShop.rosa.seasonId] {
            await #expect(throws: DataError.self) { _ = try await catalog.categories(season: season) }
        }
    }

    @Test func `stored values do not hide a refusal of the shop`() async throws {
        try await catalog.refresh()
        web.put(nil, at: "/v1/products/hat")
        #expect(await thrownReason { try await catalog.product(handle: "hat") } == .notFound)
    }

    // MARK: Import

    /// A shop with three products and a promotion of the last one.
    private func shop(pageSize: Int) -> TestShop {
        let shop = TestShop(products: ["a", "b", "c"].map { Fixture.product($0) })
        shop.change { world in
            world.pageSize = pageSize
            world.promotions = [.sample(of: Fixture.product("c"))]
        }
        return shop
    }

    @Test func `an import becomes visible in one step, and reports its progress`() async throws {
        let gate = Gate()
        let transport = StubTransport { [shop = shop(pageSize: 2)] request throws(NetworkError) in
            if request.url.query()?.contains("cursor=") == true { await gate.pass() }
            return try await shop.response(to: request)
        }
        let catalog = try test.catalog(over: transport)
        let progress = catalog.importProgress()
        let refresh = Task { try await catalog.refresh() }
        await gate.held(1)
        let half = try #require(await progress.first { $0?.products == 2 } ?? nil)
        #expect(half.products == 2 && half.total == 3)
        #expect(await catalog.importedAt() == nil)
        #expect(await test.store.product(handle: "a") == nil)
        gate.open()
        try await refresh.value
        #expect(await catalog.importedAt() == Date.sample)
        #expect(try await test.store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        #expect(await test.store.promotions().map(\.product.handle) == ["c"])
    }

    @Test func `an import reads page after page, and one that fails leaves the earlier catalogue`() async throws {
        let shop = shop(pageSize: 1)
        let catalog = try test.catalog(over: shop)
        try await catalog.refresh()
        #expect(try await test.store.products(ProductQuery(sort: .name)).items.map(\.handle) == ["a", "b", "c"])
        #expect(shop.requests(to: Contract.products).count == 3)
        shop.answer(Contract.products) { [pages = self.shop(pageSize: 1)] request throws(NetworkError) in
            if pages.requests.count == 2 { throw .timedOut }
            return try await pages.response(to: request)
        }
        test.time.pass(.seconds(100))
        #expect(await thrownReason { try await catalog.refresh() } == .timedOut)
        #expect(await catalog.importedAt() == Date.sample)
        #expect(try await test.store.products(ProductQuery()).items.count == 3)
    }

    @Test func `subscribers to a list get its state after an import`() async throws {
        let listing = await catalog.productStates(ProductQuery())
        var states = listing.makeAsyncIterator()
        while let state = await states.next(), state.value == nil {}
        web.put(Fixture.text(ProductPage(items: [Fixture.product("scarf")])), at: "/v1/products")
        try await catalog.refresh()
        while let state = await states.next(), state.value?.items.map(\.handle) != ["scarf"] {}
    }

    @Test func `a shop with wrong figures is imported nevertheless`() async throws {
        let categories = ["a", "b"].map { PouchEntities.Category(id: $0, name: $0, productCount: .max) }
        web.put(Fixture.text(Page(items: categories)), at: "/v1/categories")
        try await catalog.refresh()
        #expect(await catalog.importedAt() == test.time.date)
    }
}
