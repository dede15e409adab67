import Foundation
import PouchClient
import Testing

/// The article “Take a ride”.
@Suite(.timeLimit(.minutes(1)))
struct TakeARideTests {
    private let rides = StubRides()
    private let store = MemoryStore()

    /// Another process each time, on the same device.
    private func open() throws -> Pouch {
        Pouch(
            server: try #require(URL(string: "http://127.0.0.1")), transport: rides,
            sessionStore: MemorySessionStore(Fixture.data(Shopper.ada.session)), store: store)
    }

    @Test func `the fares to a place are told by its name, and one of them is taken`() async throws {
        let pouch = try open()
        let quotes = try await fares(from: Fixture.quay, to: "opera", in: pouch)
        #expect(quotes == [Fixture.quote])
        let ride = try await takeRide(Fixture.trip, for: Fixture.quote, in: pouch)
        #expect(ride?.status == .requested)
        rides.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
        #expect(try await takeRide(Fixture.trip, for: Fixture.quote, in: pouch) == ride)
    }

    @Test func `a ride is followed to its receipt`() async throws {
        rides.put(Fixture.ride(.requested))
        let (shown, continuation) = AsyncStream.makeStream(of: String.self)
        let pouch = try open()
        async let receipt = followRide("rid_1", in: pouch) { continuation.yield($0) }
        let connection = await rides.connection()
        connection.status(Fixture.ride(.accepted))
        rides.put(Fixture.ride(.completed))
        connection.status(Fixture.ride(.completed))
        #expect(try await receipt == Fixture.receipt(of: Fixture.ride(.completed)))
        continuation.finish()
        #expect(
            await shown.reduce(into: []) { $0.append($1) }
                == ["Nobody yet: requested", "Skippy: accepted, 1 min", "Nobody yet: completed"])
    }

    @Test func `a request whose answer was lost is settled by a later process, once`() async throws {
        rides.change { $0.losesAnswers = true }
        let first = try open()
        await #expect(throws: DataError.self) { try await takeRide(Fixture.trip, for: Fixture.quote, in: first) }
        rides.change { $0.losesAnswers = false }
        let later = try open()
        #expect(try await settleRideRequests(of: later)?.id == "rid_1")
        #expect(try await later.rides.rides().items.count == 1)
        #expect(try await later.rides.unresolvedRequests().isEmpty)
    }
}
