import Logging
import PouchTelemetry
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchRides
@testable import PouchServer

@Suite("The city as a background job", .timeLimit(.minutes(5)))
struct CityJobTests {
    /// Runs the job until its fourth error, and expects pauses between the errors that grow.
    private func expectGrowingPauses(_ environment: RideEnvironment, _ store: ShopDatabase) async throws {
        let (times, time) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        var logger = Logger(label: "city") { _ in LineLog(.text) { _ in time.yield(.now) } }
        logger.logLevel = .error
        let feed = RideFeed(time: environment.time, writer: RideFeedTests.CountingWriter(), heartbeat: .seconds(5))
        let runner = JobRunner(
            jobs: [CityJob(environment, feed: feed, logger: logger).job], store: store, time: environment.time,
            interval: .seconds(3_600), announcements: { AsyncStream { _ in } }, logger: logger)
        let running = Task { try await runner.run() }
        let found: [ContinuousClock.Instant] = await times.prefix(4).reduce(into: []) { $0.append($1) }
        running.cancel()
        _ = await running.result
        let pauses = zip(found, found.dropFirst()).map { $0.duration(to: $1) }
        #expect(zip(pauses, [250, 500, 1_000]).allSatisfy { $0 >= .milliseconds($1) }, "\(pauses)")
    }

    @Test func `A failing ride is retried with growing pauses and does not delay other rides`() async throws {
        try await TestCity.late(rides: 2) { city in
            try await city.sql("UPDATE rides SET refusals = 'no list' WHERE id = 'rid_1'")
            try await expectGrowingPauses(city.rideEnvironment, city.store)
            #expect(try await city.ride("rid_2").status == .completed)
        }
    }

    @Test func `An unavailable database is retried with growing pauses`() async throws {
        try await TestCity.open([]) { city in
            let store = GatedStore(city.store)
            store.fail()
            try await expectGrowingPauses(RideEnvironment(city.environment.over(store)), city.store)
        }
    }

    @Test func `Retry pauses grow up to five seconds`() {
        var pause = Backoff()
        let pauses = (0..<7).map { _ in pause.next() / .milliseconds(1) }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
    }
}
