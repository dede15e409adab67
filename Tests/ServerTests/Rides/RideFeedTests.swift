import Foundation
import PouchDomain
import PouchEntities
import Testing

@Suite("Feed of rides", .timeLimit(.minutes(1)))
struct RideFeedTests {
    private func ride(version: Int = 1) -> RideRecord {
        RideRecord(
            id: "rid_1", passenger: .rider(id: "acc_1"), species: .wallaby, waypoints: .sample,
            fare: Money(1_000, .eur), distanceMetres: 5_000, createdAt: .distantPast,
            history: [Ride.Event(status: version == 1 ? .requested : .accepted, at: .distantPast)], engagement: nil,
            refusals: [], dueAt: .distantPast, version: version)
    }

    /// How many signals wait, once the feed is closed.
    private func count(_ signals: AsyncStream<Void>) async -> Int {
        var count = 0
        for await _ in signals { count += 1 }
        return count
    }

    @Test func `However much happens while nobody listens, one signal waits`() async {
        let feed = RideFeed()
        let signals = await feed.follow(ride())
        for version in 2...10_000 { await feed.note(ride(version: version)) }
        await feed.beat()
        await feed.noteMovement()
        #expect(await feed.ride(id: "rid_1")?.version == 10_000)
        await feed.close()
        #expect(await count(signals) == 1)
    }

    @Test func `A version that is known already is no news, nor is an older one`() async throws {
        let feed = RideFeed()
        let signals = await feed.follow(ride(version: 2))
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        for version in 1...2 { await feed.note(ride(version: version)) }
        #expect(await feed.versions == ["rid_1": 2])
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `One who comes with a later version brings the news to the others`() async throws {
        let feed = RideFeed()
        let signals = await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        let later = await feed.follow(ride(version: 3))
        #expect(await iterator.next() != nil)
        #expect(await feed.ride(id: "rid_1")?.version == 3)
        withExtendedLifetime(later) {}
    }

    @Test func `While a kangaroo is looked for nothing moves`() async throws {
        let feed = RideFeed()
        let signals = await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        await feed.noteMovement()
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `When all have gone the ride is forgotten, and after the end nobody follows`() async throws {
        let feed = RideFeed()
        do {
            let signals = await feed.follow(ride())
            #expect(await feed.versions.count == 1)
            withExtendedLifetime(signals) {}
        }
        try await eventually { await feed.versions.isEmpty }
        await feed.close()
        #expect(await count(feed.follow(ride())) == 0)
        #expect(await feed.versions.isEmpty)
    }
}
