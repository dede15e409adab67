import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import Testing

/// When the catalogue is read anew, and what is told meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct CatalogFreshnessTests {
    private let test = CatalogUnderTest()

    @Test func `what is fresh comes from memory: promotions for two hours, all else for a day`() async throws {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        _ = try await (catalog.seasons(), catalog.promotions())
        test.time.pass(.seconds(7_199))
        _ = try await (catalog.seasons(), catalog.promotions())
        #expect(web.requests.count == 2)
        test.time.pass(.seconds(2))
        _ = try await (catalog.seasons(), catalog.promotions())
        while web.requests(to: "/v1/promotions") < 2 { await Task.yield() }
        #expect(web.requests(to: "/v1/seasons") == 1)
        test.time.pass(.seconds(80_000))
        _ = try await catalog.seasons()
        while web.requests(to: "/v1/seasons") < 2 { await Task.yield() }
    }

    @Test func `what is stale is answered at once, and what is new is told`() async throws {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web, freshness: Freshness(promotions: .seconds(60)))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        web.put(Fixture.text(Page(items: [Fixture.promotion("cap", 0)])), at: "/v1/promotions")
        test.time.pass(.seconds(61))
        #expect(try await catalog.promotions().map(\.product.handle) == ["hat"])
        let state = try await first(catalog.promotionStates()) { $0.value?.first?.product.handle == "cap" }
        #expect(state.asOf == test.time.date)
        #expect(state.failure == nil)
    }

    @Test func `a refresh that fails does not count as one: in LAYERS it kept the next one away for a day`()
        async throws
    {
        let web = CatalogUnderTest.shop()
        web.setAway(true)
        let catalog = try test.catalog(over: web)
        await #expect { _ = try await catalog.seasons() } throws: { ($0 as? DataError)?.reason == .unreachable }
        web.setAway(false)
        #expect(try await catalog.seasons().map(\.id) == ["71"])
    }

    @Test func `a failure is told, and never looks like a shop without goods, as it did in LAYERS`() async throws {
        let web = CatalogUnderTest.shop()
        web.setAway(true)
        let catalog = try test.catalog(over: web)
        let failed = try await first(catalog.seasonStates()) { $0.failure != nil }
        #expect(failed.value == nil)
        #expect(failed.failure?.reason == .unreachable)
        web.put(Fixture.text(Page<Season>(items: [])), at: "/v1/seasons")
        web.setAway(false)
        let empty = try await first(try test.catalog(over: web).seasonStates()) { $0.value != nil }
        #expect(empty.value == [])
        #expect(empty.failure == nil)
    }

    @Test func `a refresh that fails behind one's back is told beside what is known: in LAYERS it was dropped`()
        async throws
    {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        _ = try await catalog.promotions()
        let begin = test.time.date
        web.setAway(true)
        test.time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        let state = try await first(catalog.promotionStates()) { $0.failure != nil }
        #expect(state.value?.map(\.product.handle) == ["hat"])
        #expect(state.asOf == begin)
    }

    @Test func `the first element is the state as it is`() async throws {
        let catalog = try test.catalog(over: CatalogUnderTest.shop())
        _ = try await catalog.seasons()
        var states = catalog.seasonStates().makeAsyncIterator()
        #expect(await states.next()?.value?.map(\.id) == ["71"])
    }

    @Test func `while somebody follows it is kept fresh, and failures are tried again with growing waits`() async throws
    {
        let web = CatalogUnderTest.shop()
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
        let state = try await first(states) { $0.failure == nil && $0.asOf ?? Fixture.now > Fixture.now }
        #expect(state.value?.count == 1)
        await test.time.sleepers()
        #expect(web.requests(to: "/v1/promotions") == 6)
    }

    @Test func `who polls a shop that is away does not hammer it: in LAYERS Home asked twice a second for ever`()
        async throws
    {
        let web = CatalogUnderTest.shop()
        let catalog = try test.catalog(over: web)
        _ = try await catalog.promotions()
        web.setAway(true)
        test.time.pass(.seconds(7_201))
        _ = try await catalog.promotions()
        _ = try await first(catalog.promotionStates()) { $0.failure != nil }
        for _ in 0..<100 { _ = try await catalog.promotions() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(web.requests(to: "/v1/promotions") == 2)
    }

    @Test func `when nobody follows any more nothing is left that waits`() async throws {
        let catalog = try test.catalog(over: CatalogUnderTest.shop())
        let task = Task { for await _ in catalog.seasonStates() {} }
        await test.time.sleepers()
        task.cancel()
        await task.value
        while test.time.sleeperCount > 0 { await Task.yield() }
    }

    @Test func `askers at the same time share one refresh, from any thread: in LAYERS managers had no lock`()
        async throws
    {
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

    @Test func `an asker that is cancelled goes at once and leaves the refresh to the others`() async throws {
        let gate = Gate()
        let web = CatalogUnderTest.shop(gate: gate)
        let catalog = try test.catalog(over: web)
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
        let transport = RecordingTransport { request in
            request.url.query()?.contains("cursor=two") == true
                ? .json(Page(items: [Fixture.season("72")]))
                : .json(Page(items: [Fixture.season("71")], nextCursor: "two"))
        }
        #expect(try await test.catalog(over: transport).seasons().map(\.id) == ["71", "72"])
    }

    @Test(arguments: [["one": "one"], ["one": "two", "two": "one"]])
    func `a server whose cursors go in circles does not keep us for ever`(_ next: [String: String]) async throws {
        let transport = RecordingTransport { request in
            let cursor = next.first { request.url.query()?.contains("cursor=\($0.key)") == true }?.value
            return .json(Page(items: [Fixture.season("71")], nextCursor: cursor ?? "one"))
        }
        let error = await #expect(throws: DataError.self) { try await test.catalog(over: transport).seasons() }
        #expect(error?.reason == .unreadableAnswer)
        #expect(transport.requests.count == next.count + 1)
    }

    @Test func `the themes of each season are remembered apart`() async throws {
        let transport = RecordingTransport { request in
            let id = request.url.query() ?? "all"
            return .json(Page(items: [Theme(id: id, name: id, seasonId: "71")]))
        }
        let catalog = try test.catalog(over: transport)
        #expect(try await catalog.themes(season: "71").map(\.id) == ["season=71"])
        #expect(try await catalog.themes(season: "72").map(\.id) == ["season=72"])
        #expect(try await catalog.themes().map(\.id) == ["all"])
    }
}
