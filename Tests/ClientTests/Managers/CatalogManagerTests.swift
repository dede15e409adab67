import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import Synchronization
import Testing

struct CatalogManagerTests {
    private final class Watch: Sendable {
        private let time = Mutex(ContinuousClock.Instant.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private func season(_ id: String) -> Season { Season(id: id, name: id) }

    @Test func `what is fresh comes from memory, what is stale from the server`() async throws {
        let transport = RecordingTransport { [season] _ in .json(Page(items: [season("71")])) }
        let watch = Watch()
        let catalog = CatalogManager(
            data: DataManager(service: try makeService(over: transport)), staleAfter: .seconds(60), now: { watch.now })
        for _ in 0..<3 { #expect(try await catalog.seasons().map(\.id) == ["71"]) }
        #expect(transport.requests.count == 1)
        watch.pass(.seconds(61))
        _ = try await catalog.seasons()
        #expect(transport.requests.count == 2)
    }

    @Test func `a refresh that fails does not count as one`() async throws {
        let calls = Counter()
        let transport = StubTransport { [season] _ throws(NetworkError) in
            calls.increment()
            guard calls.value != 1 else { throw .timedOut }
            return .json(Page(items: [season("71")]))
        }
        let catalog = CatalogManager(data: DataManager(service: try makeService(over: transport)))
        await #expect(throws: DataError.self) { _ = try await catalog.seasons() }
        #expect(try await catalog.seasons().count == 1)
    }

    @Test func `a list of several pages is read to its end`() async throws {
        let transport = RecordingTransport { [season] request in
            request.url.query()?.contains("cursor=two") == true
                ? .json(Page(items: [season("72")])) : .json(Page(items: [season("71")], nextCursor: "two"))
        }
        let catalog = CatalogManager(data: DataManager(service: try makeService(over: transport)))
        #expect(try await catalog.seasons().map(\.id) == ["71", "72"])
    }

    @Test(.timeLimit(.minutes(1))) func `a server that repeats a cursor does not keep us for ever`() async throws {
        let transport = RecordingTransport { [season] _ in .json(Page(items: [season("71")], nextCursor: "same")) }
        let catalog = CatalogManager(data: DataManager(service: try makeService(over: transport)))
        _ = try await catalog.seasons()
        #expect(transport.requests.count == 2)
    }

    @Test func `the themes of each season are remembered apart`() async throws {
        let transport = RecordingTransport { request in
            let id = request.url.query() ?? "all"
            return .json(Page(items: [Theme(id: id, name: id, seasonId: "71")]))
        }
        let catalog = CatalogManager(data: DataManager(service: try makeService(over: transport)))
        #expect(try await catalog.themes(season: "71").map(\.id) == ["season=71"])
        #expect(try await catalog.themes(season: "72").map(\.id) == ["season=72"])
        #expect(try await catalog.themes().map(\.id) == ["all"])
    }
}
