import Foundation
import PouchEntities
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("The ride feed", .timeLimit(.minutes(5)))
struct RideFeedTests {
    /// Writes the kangaroo's remaining time, and counts its calls.
    private final class CountingWriter: RideNewsWriter {
        private let count = Mutex(0)

        var calls: Int { count.withLock { $0 } }

        func status(_ ride: RideRecord, number: Int, at now: Date) -> Data {
            write("status \(number)" + (number == ride.history.count ? at(ride, now) : ""))
        }

        func position(_ ride: RideRecord, at now: Date) -> Data { write("position" + at(ride, now)) }

        /// The remaining time; empty without a kangaroo.
        private func at(_ ride: RideRecord, _ now: Date) -> String {
            ride.ride(at: now).etaSeconds.map { ", \($0) s away" } ?? ""
        }

        private func write(_ text: String) -> Data {
            count.withLock { $0 += 1 }
            return Data(text.utf8)
        }
    }

    private let clock: SettableClock
    private let start: Date

    init() {
        clock = SettableClock()
        start = clock.now
    }

    private func feed(_ writer: CountingWriter = CountingWriter()) -> RideFeed {
        RideFeed(time: clock, writer: writer, heartbeat: .seconds(5))
    }

    private func texts(_ news: RideNews?) -> [String]? {
        news?.events.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A ride that a kangaroo 100 s away has accepted in its second version.
    private func ride(version: Int = 1, isOver: Bool = false) -> RideRecord {
        let statuses = [RideStatus.requested] + (version > 1 ? [.accepted] : []) + (isOver ? [.cancelledByRider] : [])
        return RideRecord(
            id: "rid_1", passenger: .rider(id: "acc_1"), species: .wallaby, waypoints: .sample,
            fare: Money(1_000, .eur), distanceMetres: 5_000, createdAt: .distantPast,
            history: statuses.map { Ride.Event(status: $0, at: .distantPast) },
            engagement: isOver
                ? nil
                : .init(
                    driverId: "drv_1", name: "Skip", rating: 47, from: .bondi, setsOffAt: start, to: .operaHouse,
                    arrivesAt: start.addingTimeInterval(100), givesUpAt: nil),
            refusals: [], dueAt: isOver ? nil : .distantPast, version: version)
    }

    /// The number of buffered signals of a closed feed.
    private func count(_ signals: AsyncStream<Void>) async -> Int {
        var count = 0
        for await _ in signals { count += 1 }
        return count
    }

    @Test func `Any number of changes buffers one signal`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride())
        for version in 2...10_000 { await feed.note(ride(version: version)) }
        await feed.beat()
        clock.advance(by: 1)
        await feed.noteMovement()
        #expect(await feed.versions == ["rid_1": 10_000])
        await feed.close()
        #expect(await count(signals) == 1)
    }

    @Test func `A known or older version is no news`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride(version: 2))
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        for version in 1...2 { await feed.note(ride(version: version)) }
        #expect(await feed.versions == ["rid_1": 2])
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `A subscriber with a later version updates the others`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        let later = try await feed.follow(ride(version: 3))
        #expect(await iterator.next() != nil)
        #expect(await feed.versions == ["rid_1": 3])
        withExtendedLifetime(later) {}
    }

    @Test func `A ride without a kangaroo has no movement`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride())
        var iterator = signals.makeAsyncIterator()
        try #require(await iterator.next() != nil)
        clock.advance(by: 1)
        await feed.noteMovement()
        await feed.close()
        #expect(await iterator.next() == nil)
    }

    @Test func `A position is sent once, and again only when it changed`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride(version: 2))
        let first = try #require(try await feed.news(of: "rid_1", after: RideCursor(statuses: nil)))
        #expect(texts(first) == ["status 2, 100 s away"])
        await feed.noteMovement()
        #expect(try await texts(feed.news(of: "rid_1", after: first.cursor)) == [])
        clock.advance(by: 5)
        await feed.noteMovement()
        await feed.noteMovement()
        let moved = try #require(try await feed.news(of: "rid_1", after: first.cursor))
        #expect(texts(moved) == ["position, 95 s away"])
        await feed.noteMovement()
        #expect(try await texts(feed.news(of: "rid_1", after: moved.cursor)) == [])
        // The kangaroo has arrived and stands still.
        clock.advance(by: 100)
        await feed.noteMovement()
        let there = try #require(try await feed.news(of: "rid_1", after: moved.cursor))
        #expect(texts(there) == ["position, 0 s away"])
        clock.advance(by: 5)
        await feed.noteMovement()
        #expect(try await texts(feed.news(of: "rid_1", after: there.cursor)) == [])
        withExtendedLifetime(signals) {}
    }

    @Test func `The position of a standing kangaroo is sent once, also to a reconnecting subscriber`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride(version: 2))
        let back = try #require(try await feed.news(of: "rid_1", after: RideCursor(statuses: 2)))
        #expect(texts(back) == ["position, 100 s away"])
        #expect(try await texts(feed.news(of: "rid_1", after: back.cursor)) == [])
        await feed.noteMovement()
        #expect(try await texts(feed.news(of: "rid_1", after: back.cursor)) == [])
        withExtendedLifetime(signals) {}
    }

    @Test func `A past status has no position, and the current status has the current one`() async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride(version: 2))
        // The second status is sent while it is the current one.
        #expect(
            try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: 1))) == ["status 2, 100 s away"])
        clock.advance(by: 10)
        await feed.noteMovement()
        for seen in [1, nil, 9] {
            #expect(
                try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: seen))) == ["status 2, 90 s away"])
        }
        // A new subscriber gets the current position, also without a noted movement.
        clock.advance(by: 10)
        for seen in [nil, 9] {
            #expect(
                try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: seen))) == ["status 2, 80 s away"])
        }
        await feed.note(ride(version: 3, isOver: true))
        #expect(
            try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: 1))) == ["status 2", "status 3"])
        withExtendedLifetime(signals) {}
    }

    @Test(arguments: [1, 2])
    func `Each heartbeat is sent once to each subscriber, except to a new one`(version: Int) async throws {
        let feed = self.feed()
        let signals = try await feed.follow(ride(version: version))
        await feed.beat()
        var cursors: [RideCursor] = []
        for _ in 0..<2 {
            let news = try #require(try await feed.news(of: "rid_1", after: RideCursor(statuses: nil)))
            #expect(!news.isBeat)
            cursors.append(news.cursor)
        }
        for _ in 0..<3 {
            await feed.beat()
            for index in cursors.indices {
                for isBeat in [true, false] {
                    let news = try #require(try await feed.news(of: "rid_1", after: cursors[index]))
                    #expect(news.isBeat == isBeat && news.events.isEmpty)
                    cursors[index] = news.cursor
                }
            }
        }
        withExtendedLifetime(signals) {}
    }

    @Test func `A ride without subscribers is removed, and a closed feed accepts no subscribers`() async throws {
        let feed = self.feed()
        do {
            let signals = try await feed.follow(ride())
            #expect(await feed.versions.count == 1)
            withExtendedLifetime(signals) {}
        }
        try await eventually { await feed.versions.isEmpty }
        await feed.close()
        #expect(try await count(feed.follow(ride())) == 0)
        #expect(await feed.versions.isEmpty)
    }

    @Test func `A ride has twenty subscribers at most, and a place again once one has left`() async throws {
        let feed = self.feed()
        var signals: [AsyncStream<Void>] = []
        for _ in 0..<20 { signals.append(try await feed.follow(ride())) }
        await #expect(throws: RideError.tooManyFollowers) { try await feed.follow(ride()) }
        signals.removeLast()
        try await eventually { (try? await feed.follow(ride())) != nil }
        withExtendedLifetime(signals) {}
    }

    @Test func `Each status and each position is encoded once for all subscribers`() async throws {
        let writer = CountingWriter()
        let feed = self.feed(writer)
        let followers = [try await feed.follow(ride()), try await feed.follow(ride())]
        var cursors = [RideCursor(statuses: 1), RideCursor(statuses: 1)]
        await feed.note(ride(version: 2))
        for index in cursors.indices {
            let news = try #require(try await feed.news(of: "rid_1", after: cursors[index]))
            #expect(texts(news) == ["status 2, 100 s away"])
            cursors[index] = news.cursor
        }
        clock.advance(by: 1)
        await feed.noteMovement()
        for index in cursors.indices {
            let news = try #require(try await feed.news(of: "rid_1", after: cursors[index]))
            #expect(texts(news) == ["position, 99 s away"])
            #expect(try await texts(feed.news(of: "rid_1", after: news.cursor)) == [])
        }
        #expect(writer.calls == 2)
        withExtendedLifetime(followers) {}
    }

    @Test func `A reconnecting subscriber gets every missed status, and a new one the current status`() async throws {
        let feed = self.feed()
        let follower = try await feed.follow(ride(version: 2, isOver: true))
        let missed = try await feed.news(of: "rid_1", after: RideCursor(statuses: 1))
        #expect(texts(missed) == ["status 2", "status 3"])
        #expect(missed?.isLast == true)
        #expect(try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: nil))) == ["status 3"])
        // A cursor from the future counts as new.
        #expect(try await texts(feed.news(of: "rid_1", after: RideCursor(statuses: 9))) == ["status 3"])
        #expect(RideCursor(statuses: 3).isAtEnd(of: ride(version: 2, isOver: true)))
        #expect(!RideCursor(statuses: 9).isAtEnd(of: ride(version: 2, isOver: true)))
        withExtendedLifetime(follower) {}
    }
}
