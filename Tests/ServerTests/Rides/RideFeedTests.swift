import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("The ride feed", .timeLimit(.minutes(5)))
struct RideFeedTests {
    /// Writes the kangaroo's remaining time, and counts its calls.
    final class CountingWriter: RideNewsWriter {
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

    /// A subscriber that reads the news since its last reading.
    private actor Reader {
        private let feed: RideFeed
        private let signals: AsyncStream<Void>
        private var cursor: RideCursor

        /// - Parameter seen: the number of statuses that the subscriber has seen; nil for a new one.
        init(_ feed: RideFeed, of ride: RideRecord, after seen: Int? = nil) async throws {
            self.feed = feed
            signals = try await feed.follow(ride)
            cursor = RideCursor(statuses: seen)
        }

        func news() async throws -> LiveNews<RideCursor> {
            let news = try #require(try await feed.news(of: "rid_1", after: cursor))
            cursor = news.cursor
            return news
        }

        func texts() async throws -> [String] { try await news().events.map { String(decoding: $0, as: UTF8.self) } }
    }

    private let clock: SettableClock
    private let start: Date
    private let writer = CountingWriter()
    private let feed: RideFeed

    init() {
        clock = SettableClock()
        start = clock.now
        feed = RideFeed(time: clock, writer: writer, heartbeat: .seconds(5))
    }

    /// A ride that a kangaroo 100 s away has accepted in its second version.
    private func ride(version: Int = 1, isOver: Bool = false) -> RideRecord {
        let statuses = [RideStatus.requested] + (version > 1 ? [.accepted] : []) + (isOver ? [.cancelledByRider] : [])
        let engagement = RideRecord.Engagement(
            driverId: "drv_1", name: "Skip", rating: 47, from: .bondi, setsOffAt: start, to: .operaHouse,
            arrivesAt: start.addingTimeInterval(100), givesUpAt: nil)
        return .sample(
            statuses, engagement: isOver ? nil : engagement, dueAt: isOver ? nil : .distantPast, version: version)
    }

    private func move(after seconds: TimeInterval = 0) async {
        clock.advance(by: seconds)
        await feed.noteMovement()
    }

    /// The number of buffered signals of a closed feed.
    private func count(_ signals: AsyncStream<Void>) async -> Int { await signals.reduce(0) { count, _ in count + 1 } }

    // MARK: Signals

    @Test func `Any number of changes buffers one signal`() async throws {
        let signals = try await feed.follow(ride())
        for version in 2...10_000 { await feed.note(ride(version: version)) }
        await feed.beat()
        await move(after: 1)
        #expect(await feed.versions == ["rid_1": 10_000])
        await feed.close()
        #expect(await count(signals) == 1)
    }

    @Test func `A known or older version sends nothing`() async throws {
        var signals = try await feed.follow(ride(version: 2)).makeAsyncIterator()
        try #require(await signals.next() != nil)
        for version in 1...2 { await feed.note(ride(version: version)) }
        #expect(await feed.versions == ["rid_1": 2])
        await feed.close()
        #expect(await signals.next() == nil)
    }

    @Test func `A subscriber with a later version updates the others`() async throws {
        var signals = try await feed.follow(ride()).makeAsyncIterator()
        try #require(await signals.next() != nil)
        let later = try await feed.follow(ride(version: 3))
        #expect(await signals.next() != nil)
        #expect(await feed.versions == ["rid_1": 3])
        withExtendedLifetime(later) {}
    }

    @Test func `A ride without a kangaroo has no movement`() async throws {
        var signals = try await feed.follow(ride()).makeAsyncIterator()
        try #require(await signals.next() != nil)
        await move(after: 1)
        await feed.close()
        #expect(await signals.next() == nil)
    }

    // MARK: News

    @Test func `A position is sent once, also to a reconnecting subscriber, and again only when it changed`()
        async throws
    {
        let reader = try await Reader(feed, of: ride(version: 2))
        #expect(try await reader.texts() == ["status 2, 100 s away"])
        let reconnecting = try await Reader(feed, of: ride(version: 2), after: 2)
        #expect(try await reconnecting.texts() == ["position, 100 s away"])
        #expect(try await reconnecting.texts() == [])
        await move()
        for one in [reader, reconnecting] { #expect(try await one.texts() == []) }
        await move(after: 5)
        await move()
        #expect(try await reader.texts() == ["position, 95 s away"])
        await move()
        #expect(try await reader.texts() == [])
        // The kangaroo has arrived and stands still.
        await move(after: 100)
        #expect(try await reader.texts() == ["position, 0 s away"])
        await move(after: 5)
        #expect(try await reader.texts() == [])
    }

    @Test func `A past status has no position, and the current status has the current one`() async throws {
        var readers: [Reader] = []
        func texts(after seen: Int?) async throws -> [String] {
            readers.append(try await Reader(feed, of: ride(version: 2), after: seen))
            return try await readers[readers.count - 1].texts()
        }
        // The second status is sent while it is the current one.
        #expect(try await texts(after: 1) == ["status 2, 100 s away"])
        await move(after: 10)
        for seen in [1, nil, 9] { #expect(try await texts(after: seen) == ["status 2, 90 s away"]) }
        // A new subscriber gets the current position, also without a noted movement.
        clock.advance(by: 10)
        for seen in [nil, 9] { #expect(try await texts(after: seen) == ["status 2, 80 s away"]) }
        await feed.note(ride(version: 3, isOver: true))
        #expect(try await texts(after: 1) == ["status 2", "status 3"])
    }

    @Test(arguments: [1, 2])
    func `Each heartbeat is sent once to each subscriber, except to a new one`(version: Int) async throws {
        let follower = try await Reader(feed, of: ride(version: version))
        await feed.beat()
        let readers = [follower, try await Reader(feed, of: ride(version: version))]
        for reader in readers { #expect(try await !reader.news().isBeat) }
        for _ in 0..<3 {
            await feed.beat()
            for reader in readers {
                for isBeat in [true, false] {
                    let news = try await reader.news()
                    #expect(news.isBeat == isBeat && news.events.isEmpty)
                }
            }
        }
    }

    @Test func `Each status and each position is encoded once for all subscribers`() async throws {
        let readers = [try await Reader(feed, of: ride(), after: 1), try await Reader(feed, of: ride(), after: 1)]
        await feed.note(ride(version: 2))
        for reader in readers { #expect(try await reader.texts() == ["status 2, 100 s away"]) }
        await move(after: 1)
        for reader in readers {
            #expect(try await reader.texts() == ["position, 99 s away"])
            #expect(try await reader.texts() == [])
        }
        #expect(writer.calls == 2)
    }

    @Test func `A reconnecting subscriber gets every missed status, and a new one the current status`() async throws {
        let ended = ride(version: 2, isOver: true)
        let missed = try await Reader(feed, of: ended, after: 1).news()
        #expect(missed.events == ["status 2", "status 3"].map { Data($0.utf8) } && missed.isLast)
        // A cursor from the future counts as new.
        for seen in [nil, 9] { #expect(try await Reader(feed, of: ended, after: seen).texts() == ["status 3"]) }
        #expect(RideCursor(statuses: 3).isAtEnd(of: ended) && !RideCursor(statuses: 9).isAtEnd(of: ended))
    }

    // MARK: Subscribers

    @Test func `A ride without subscribers is removed, and a closed feed accepts no subscribers`() async throws {
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
        var signals: [AsyncStream<Void>] = []
        for _ in 0..<20 { signals.append(try await feed.follow(ride())) }
        await #expect(throws: RideError.tooManyFollowers) { try await feed.follow(ride()) }
        signals.removeLast()
        try await eventually { (try? await feed.follow(ride())) != nil }
        withExtendedLifetime(signals) {}
    }
}
