import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchRides
import PouchServer
import Testing

@Suite("Listeners that do not read the events of a ride", .timeLimit(.minutes(2)))
struct DeafListenerTests {
    /// Somebody reads the events of their ride. Somebody else has asked for theirs, does not read them, and has been told
    /// more than sockets and buffers take.
    private func deafened(
        _ body: @escaping @Sendable (_ shop: TestShop, _ stream: RideEventStream, _ ride: Ride) async throws -> Void
    ) async throws {
        // Kangaroos with names of 10 kB, so that a position is as long.
        let name = String(repeating: "Skippy ", count: 1_500)
        let kangaroos = (0..<2).map {
            DriverRecord(
                id: "drv_\($0)", name: name, species: .wallaby, temper: .calm, rating: 47,
                location: GeoPoint.operaHouse.north(1_000 + Double($0)))
        }
        try await TestShop.open(
            kangaroos: kangaroos, setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }
        ) { shop in
            let port = try #require(shop.client.port)
            let (rider, other) = (try await shop.customer(), try await shop.customer("bob@example.com"))
            let ride = try await rider.requestRide().good()
            let unheard = try await other.requestRide().good()
            for id in [ride.id, unheard.id] { try await shop.go(id, to: .accepted) }
            let deaf = try RawConnection(port: port, receiveBuffer: 4_096)
            try deaf.send(RideEventStream.request(other, unheard.id))
            try await eventually { await shop.services.rideFeed.versions[unheard.id] != nil }
            let stream = try await RideEventStream(rider, ride.id, port: port)
            // What moves before that is told with it.
            _ = try await stream.nextUpdate("status")
            for _ in 0..<800 {
                // A metre on: it has 20 s to go.
                shop.clock.advance(by: 0.015)
                await shop.services.rideFeed.noteMovement()
                let event = try #require(try await stream.nextUpdate("position"))
                #expect(event.update?.driver?.name == name)
            }
            try await body(shop, stream, ride)
            withExtendedLifetime(deaf) {}
        }
    }

    @Test func `Their stream is ended, and others are told everything`() async throws {
        try await deafened { shop, stream, ride in
            try await eventually { await Array(shop.services.rideFeed.versions.keys) == [ride.id] }
            try await shop.go(ride.id, to: .completed)
            while let event = try await stream.nextUpdate("status") {
                if event.update?.status == .completed { break }
            }
            #expect(try await stream.next() == nil)
            #expect(await stream.isComplete)
        }
    }

    @Test func `They do not keep the server from ending, and streams that are read end properly`() async throws {
        let kept = Box<RideEventStream>()
        try await deafened { _, stream, _ in await kept.set(stream) }
        let stream = try #require(await kept.value)
        while try await stream.next() != nil {}
        #expect(await stream.isComplete)
    }
}
