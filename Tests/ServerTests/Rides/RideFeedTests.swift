import Foundation
import PouchDomain
import PouchEntities
import Synchronization
import Testing

@Suite("Feed of rides", .timeLimit(.minutes(1)))
struct RideFeedTests {
    /// Writes the version of the ride, and counts how often it is asked.
    private final class CountingWriter: RideNewsWriter {
        private let count = Mutex(0)

        var asked: Int { count.withLock { $0 } }

        func status(_ ride: RideRecord, number: Int, at now: Date) -> Data { write("status \(number)") }
        func position(_ ride: RideRecord, at now: Date) -> Data { write("position of version \(ride.version)") }

        private func write(_ text: String) -> Data {
            count.withLock { $0 += 1 }
            return Data(text.utf8)
        }
    }

    private func feed(_ writer: CountingWriter = CountingWriter()) -> RideFeed {
        RideFeed(time: SystemTime(), writer: writer, heartbeat: .seconds(5))
    }

    private func texts(_ news: RideNews?) -> [String]? {
        news?.events.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Accepted from its second version on.
    private func ride(version: Int = 1, isOver: Bool = false) -> RideRecord {
        let statuses = [RideStatus.requested] + (version > 1 ? [.accepted] : []) + (isOver ? [.cancelledByRider] : [])
        return RideRecord(
            id: "rid_1", passenger: .rider(id: "acc_1"), species: .wallaby, waypoints: .sample,
            fare: Money(1_000, .eur), distanceMetres: 5_000, createdAt: .distantPast,
            history: statuses.map { Ride.Event(status: $0, at: .distantPast) }, engagement: nil,
            refusals: [], dueAt: isOver ? nil : .distantPast, version: version)
    }

    /// How many signals wait, once the feed is closed.
    private func count(_ signals: AsyncStream<Void>) async -> Int {
        var count = 0
        for await _ in signals { count += 1 }
        return count
    }

    @Test func `However much happens while nobody listens, one signal waits`() async {
        let feed = self.feed()
        let signals = await feed.follow(ride())
        for version in 2...10_000 { await feed.note(ride(version: version)) }
        await feed.beat()
        await feed.noteMovement()
        #expect(await feed.versions == ["rid_1": 10_000])
        await feed.close()
        #expect(await count(signals) == 1)
    }

    @Test func `A version that is known already is no news, nor is an older one`() async throws {
        let feed = self.feed()
        let signals = await feed.follow(ride(version: 2))
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        for version in 1...2 { await feed.note(ride(version: version)) }
        #expect(await feed.versions == ["rid_1": 2])
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `One who comes with a later version brings the news to the others`() async throws {
        let feed = self.feed()
        let signals = await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        let later = await feed.follow(ride(version: 3))
        #expect(await iterator.next() != nil)
        #expect(await feed.versions == ["rid_1": 3])
        withExtendedLifetime(later) {}
    }

    @Test func `While a kangaroo is looked for nothing moves`() async throws {
        let feed = self.feed()
        let signals = await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        await feed.noteMovement()
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `When all have gone the ride is forgotten, and after the end nobody follows`() async throws {
        let feed = self.feed()
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

    @Test func `However many follow, each status and each position is written once`() async throws {
        let writer = CountingWriter()
        let feed = self.feed(writer)
        let followers = [await feed.follow(ride()), await feed.follow(ride())]
        var cursors = [RideCursor(statuses: 1), RideCursor(statuses: 1)]
        await feed.note(ride(version: 2))
        for index in cursors.indices {
            let news = try #require(try await feed.news(of: "rid_1", after: cursors[index]))
            #expect(texts(news) == ["status 2"])
            cursors[index] = news.cursor
        }
        await feed.noteMovement()
        for index in cursors.indices {
            let news = try #require(try await feed.news(of: "rid_1", after: cursors[index]))
            #expect(texts(news) == ["position of version 2"])
            #expect(try await texts(feed.news(of: "rid_1", after: news.cursor)) == [])
        }
        #expect(writer.asked == 2)
        withExtendedLifetime(followers) {}
    }

    @Test func `Whoever was away is told each status that was missed, whoever is new how things stand`() async throws {
        let feed = self.feed()
        let follower = await feed.follow(ride(version: 2, isOver: true))
        let missed = try await feed.news(of: "rid_1", after: RideCursor(statuses: 1))
        #expect(texts(missed) == ["status 2", "status 3"])
        #expect(missed?.isLast == true)
        #expect(try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: nil))) == ["status 3"])
        // Nobody has seen what has not happened.
        #expect(try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: 9))) == ["status 3"])
        #expect(RideCursor(statuses: 3).isAtEnd(of: ride(version: 2, isOver: true)))
        #expect(!RideCursor(statuses: 9).isAtEnd(of: ride(version: 2, isOver: true)))
        withExtendedLifetime(follower) {}
    }
}
