import HummingbirdTesting
import NIOCore
import PouchRides
import ServerTesting
import Subprocess
import Testing

/// Hummingbird's idle timeout applies only to connections without a request, so a quiet stream stays open and no test
/// waits for the timeout.
@Suite(
    "Ride events", .inCity(setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }),
    .timeLimit(.minutes(5)))
struct RideEventTests {
    private let shop = TestShop.current
    private let rider: Caller
    private let ride: Ride

    init() async throws {
        try await shop.add(.calm(3))
        rider = try await shop.customer()
        ride = try await rider.requestRide().good()
    }

    private func follow(after lastId: String? = nil, method: String = "GET") async throws -> RideEventStream {
        try await RideEventStream(
            rider, "/v1/rides/\(ride.id)/events", port: shop.client.port, lastId: lastId, method: method)
    }

    // MARK: Events

    @Test(arguments: [RideStatus.requested, .accepted, .inProgress])
    func `The first event is the current status`(status: RideStatus) async throws {
        try await shop.go(ride.id, to: status)
        let now = try await rider.ride(ride.id).good()
        let stream = try await follow()
        for field in ["content-type: text/event-stream", "cache-control: no-store"] {
            #expect(stream.head.lowercased().contains(field))
        }
        let first = try #require(try await stream.next())
        #expect(first.name == "status" && first.id == "\(now.history.count)")
        let expected = RideUpdate(status: status, driver: now.driver, etaSeconds: now.etaSeconds, history: now.history)
        #expect(first.update == expected)
    }

    @Test func `Every status is sent once with its number, and the last ends the stream`() async throws {
        let stream = try await follow()
        var followed = ride
        for (index, status) in [RideStatus].whole.enumerated() {
            try await shop.go(ride.id, to: status)
            let event = try #require(try await stream.nextUpdate("status"))
            #expect(event.id == "\(index + 1)" && event.update?.status == status)
            #expect(event.update?.history?.map(\.status) == Array([RideStatus].whole.prefix(index + 1)))
            followed = followed.applying(try #require(event.update))
        }
        #expect(try await stream.next() == nil)
        #expect(await stream.isComplete)
        #expect(try await rider.ride(ride.id).good() == followed)
        #expect(try await follow(after: "5").status == 204)
    }

    @Test func `A reconnecting client gets every missed status once`() async throws {
        try await shop.go(ride.id, to: .completed)
        for seen in 1...4 {
            let stream = try await follow(after: "\(seen)")
            for number in seen + 1...5 {
                let event = try #require(try await stream.next())
                #expect(event.id == "\(number)" && event.update?.status == [RideStatus].whole[number - 1])
                // Only the current status has the driver.
                #expect((event.update?.driver != nil) == (number == 5))
            }
            #expect(try await stream.next() == nil)
        }
        let new = try await follow()
        #expect(try await new.next()?.id == "5")
        #expect(try await new.next() == nil)
    }

    @Test func `Positions are sent between two statuses, without an id, when the kangaroo has moved`() async throws {
        try await shop.go(ride.id, to: .accepted)
        let stream = try await follow()
        var last = try #require(try await stream.next()?.update)
        for _ in 0..<5 {
            shop.clock.advance(by: 1)
            await shop.services.rideFeed.noteMovement()
            let event = try #require(try await stream.nextUpdate())
            let update = try #require(event.update)
            #expect(event.name == "position" && event.id == nil)
            #expect(update.status == nil && update.history == nil)
            let (before, now) = (try #require(last.driver), try #require(update.driver))
            #expect(abs(before.location.distance(to: now.location) - 10 * 8 / 1.3) < 2)
            #expect(try #require(last.etaSeconds) - (try #require(update.etaSeconds)) == 1)
            last = update
        }
    }

    @Test func `Changes by any server are sent to all streams, and a cancellation ends them`() async throws {
        try await shop.another(setup: .live) { other in
            let there = other.caller(try #require(rider.session))
            let here = try await parallel(3) { _ in try await follow() }
            let away = try await RideEventStream(there, "/v1/rides/\(ride.id)/events", port: other.client.port)
            let streams = here + [away]
            for stream in streams { #expect(try await stream.next()?.id == "1") }
            try await other.go(ride.id, to: .accepted)
            for stream in streams { #expect(try await stream.nextUpdate("status")?.id == "2") }
            try await rider.cancelRide(ride.id).good()
            for stream in streams {
                #expect(try await stream.nextUpdate("status")?.update?.status == .cancelledByRider)
                #expect(try await stream.next() == nil)
            }
        }
    }

    // MARK: Clients

    @Test(arguments: ["x", "0", "-1", "1.5", "99999999999999999999", "1,2"])
    func `An invalid Last-Event-ID is refused`(id: String) async throws {
        try await rider.call(Contract.rideEvents, path: ["id": ride.id], headers: [HeaderName.lastEventId: id])
            .problem(.invalidHeader)
    }

    @Test func `A quiet stream gets comments as heartbeats`() async throws {
        let stream = try await follow()
        #expect(try await stream.next()?.name == "status")
        for _ in 0..<3 {
            await shop.services.rideFeed.beat()
            let comment = try #require(try await stream.next())
            #expect(comment.name == nil && comment.id == nil && comment.update == nil)
        }
    }

    @Test(arguments: [false, true])
    func `Signing out ends the stream at the next heartbeat, even while the kangaroo moves`(moves: Bool) async throws {
        try await shop.go(ride.id, to: .accepted)
        let stream = try await follow()
        #expect(try await stream.next()?.name == "status")
        try await rider.call(Contract.signOut).good()
        let mover = Task {
            while moves, !Task.isCancelled {
                shop.clock.advance(by: 0.01)
                await shop.services.rideFeed.noteMovement()
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        while try await stream.next() != nil {}
        #expect(await stream.isComplete)
        mover.cancel()
        #expect(try await follow().status == 401)
    }

    @Test func `A HEAD request does not subscribe, and a closed connection unsubscribes`() async throws {
        let head = try await follow(method: "HEAD")
        #expect(await head.status == 200)
        #expect(await shop.services.rideFeed.versions.isEmpty)
        let stream = try await follow()
        #expect(try await stream.next()?.id == "1")
        #expect(await shop.services.rideFeed.versions.keys.elementsEqual([ride.id]))
        try await stream.hangUp()
        try await eventually { await shop.services.rideFeed.versions.isEmpty }
    }
}

@Suite("Ride events at the end of the server process", .inFolder, .timeLimit(.minutes(5)))
struct RideEventProcessTests {
    @Test func `A signal ends a server with many streams properly, with exit code 0`() async throws {
        try await ServerProgram.serve(on: TestDatabase(in: TemporaryFolder.current).text) { server in
            let rider = try await server.customer()
            let ride = try await rider.requestRide().good()
            let streams = try await parallel(10) { _ in
                try await RideEventStream(rider, "/v1/rides/\(ride.id)/events", port: server.port)
            }
            for stream in streams { #expect(try await stream.next()?.name == "status") }
            try server.end()
            for stream in streams {
                while try await stream.next() != nil {}
                #expect(await stream.isComplete)
            }
        }
    }
}

@Suite("Clients that do not read their events", .timeLimit(.minutes(5)))
struct StalledClientTests {
    /// Opens a shop with one rider who reads the events of a ride, and another who does not, and was sent more events
    /// than sockets and buffers hold.
    private func stalled(
        _ body: @escaping @Sendable (_ shop: TestShop, _ stream: RideEventStream, _ ride: Ride) async throws -> Void
    ) async throws {
        // Names of 10 kB make every position as long.
        let name = String(repeating: "Skippy ", count: 1_500)
        let kangaroos = [1_000.0, 1_001].map {
            DriverRecord.calm("drv_\($0)", name: name, at: GeoPoint.operaHouse.north($0))
        }
        try await TestShop.open(
            kangaroos: kangaroos, setup: .live,
            configure: { ($0.rideHeartbeat, $0.timeouts.time) = (.milliseconds(50), .seconds(3)) }
        ) { shop in
            let port = try #require(shop.client.port)
            let (rider, other) = (try await shop.customer(), try await shop.customer("bob@example.com"))
            let ride = try await rider.requestRide().good()
            let unread = try await other.requestRide().good()
            for id in [ride.id, unread.id] { try await shop.go(id, to: .accepted) }
            let idle = try RawConnection(port: port, receiveBuffer: 4_096)
            try idle.send(RideEventStream.request(other, "/v1/rides/\(unread.id)/events"))
            try await eventually { await shop.services.rideFeed.versions[unread.id] != nil }
            let stream = try await RideEventStream(rider, "/v1/rides/\(ride.id)/events", port: port)
            // The first status includes every movement before it.
            _ = try await stream.nextUpdate("status")
            for _ in 0..<800 {
                // One metre. The kangaroo has 20 s to go.
                shop.clock.advance(by: 0.015)
                await shop.services.rideFeed.noteMovement()
                #expect(try await stream.nextUpdate("position")?.update?.driver?.name == name)
            }
            try await body(shop, stream, ride)
            withExtendedLifetime(idle) {}
        }
    }

    @Test func `The stream of a stalled client is ended, and other clients get all events`() async throws {
        try await stalled { shop, stream, ride in
            try await eventually { await Array(shop.services.rideFeed.versions.keys) == [ride.id] }
            try await shop.go(ride.id, to: .completed)
            while let event = try await stream.nextUpdate("status"), event.update?.status != .completed {}
            #expect(try await stream.next() == nil)
            #expect(await stream.isComplete)
        }
    }

    @Test func `Stalled clients do not delay the shutdown, and streams that are read end properly`() async throws {
        let kept = Box<RideEventStream>()
        try await stalled { _, stream, _ in await kept.set(stream) }
        let stream = try #require(await kept.value)
        while try await stream.next() != nil {}
        #expect(await stream.isComplete)
    }
}
