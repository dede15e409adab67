import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RideManagerTests {
    private let server = StubRides()

    private func managers(_ shopper: Shopper = .ada, local: (any LocalStore)? = nil) throws -> ManagersUnderTest {
        try ManagersUnderTest(over: server, as: shopper, local: local)
    }

    @Test func `a ride is requested with the shown quote, and is the active one until it ends`() async throws {
        let rides = try managers().rides
        #expect(try await rides.active() == nil)
        #expect(try await rides.options(at: Fixture.quay) == [Fixture.wallaby])
        let quote = try #require(try await rides.quotes(for: Fixture.trip).first)
        let ride = try await rides.request(Fixture.trip, option: "wallaby", quote: quote)
        #expect(try await rides.active() == ride)
        let body = try #require(server.requests("POST /v1/rides").first?.body)
        #expect(String(decoding: body, as: UTF8.self).contains(#""quoteID":"quo_1","rideOptionID":"wallaby""#))
        let cancelled = try await rides.cancel(ride.id)
        #expect(cancelled.status == .cancelledByRider)
        #expect(try await rides.active() == nil)
        #expect(try await rides.rides().items == [cancelled])
    }

    @Test
    func `a ride request that an earlier process left open is resumed with the same bytes and key, and happens once`()
        async throws
    {
        let store = MemoryStore()
        server.change { $0.losesAnswers = true }
        let error = await #expect(throws: DataError.self) {
            _ = try await managers(local: store).rides.request(Fixture.trip, option: "wallaby", quote: Fixture.quote)
        }
        #expect(error?.leavesOutcomeOpen == true)
        server.change { $0.losesAnswers = false }
        let rides = try managers(local: store).rides
        let unresolved = try await rides.unresolvedRequests()
        #expect(unresolved.map(\.waypoints) == [Fixture.trip])
        #expect(unresolved.map(\.rideOptionID) == ["wallaby"])
        #expect(unresolved.map(\.startedAt) == [Fixture.now])
        let ride = try await rides.resume(try #require(unresolved.first))
        #expect(ride.id == "rid_1")
        #expect(try await rides.rides().items == [ride])
        let tries = server.requests("POST /v1/rides")
        #expect(tries.count == 2)
        #expect(tries[0].body == tries[1].body)
        #expect(tries[0].headers["Idempotency-Key"] == tries[1].headers["Idempotency-Key"])
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    @Test func `an equal request is a repetition, a different one is not`() async throws {
        server.change { $0.losesAnswers = true }
        let rides = try managers().rides
        for quote in [nil, nil, Fixture.quote] {
            await #expect(throws: DataError.self) {
                _ = try await rides.request(Fixture.trip, option: "wallaby", quote: quote)
            }
        }
        let keys = server.requests("POST /v1/rides").map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] == keys[1])
        #expect(keys[1] != keys[2])
    }

    @Test func `an unresolved request is listed for its owner only, can be given up, and expires`() async throws {
        server.change { $0.isDown = true }
        let store = MemoryStore()
        let rides = try managers(local: store).rides
        await #expect(throws: DataError.self) { _ = try await rides.request(Fixture.trip, option: "wallaby") }
        #expect(try await managers(.bea, local: store).rides.unresolvedRequests().isEmpty)
        let signedOut = try ManagersUnderTest(over: server, local: store)
        #expect(try await signedOut.rides.unresolvedRequests().isEmpty)
        let late = try ManagersUnderTest(
            over: server, as: .ada, local: store, now: { Fixture.now.addingTimeInterval(86_400) })
        #expect(try await late.rides.unresolvedRequests().isEmpty)
        try await rides.giveUp(try #require(try await rides.unresolvedRequests().first))
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    @Test(arguments: [
        (ProblemCode.rideInProgress, DataError.Reason.rideInProgress), (.quoteExpired, .quoteExpired),
        (.quoteMismatch, .quoteMismatch),
    ])
    func `a refusal has a reason, and leaves nothing open`(code: ProblemCode, reason: DataError.Reason) async throws {
        server.change { $0.refusals["/v1/rides"] = [.problem(code)] }
        let rides = try managers().rides
        let error = await #expect(throws: DataError.self) {
            _ = try await rides.request(Fixture.trip, option: "wallaby", quote: Fixture.quote)
        }
        #expect(error?.reason == reason)
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    @Test func `cancelling again after a lost answer returns the cancelled ride`() async throws {
        server.put(Fixture.ride(.accepted))
        server.change { $0.losesAnswers = true }
        let rides = try managers().rides
        await #expect(throws: DataError.self) { _ = try await rides.cancel("rid_1") }
        server.change { $0.losesAnswers = false }
        #expect(try await rides.cancel("rid_1").status == .cancelledByRider)
        #expect(try await rides.ride(id: "rid_1").history.count == 3, "it was cancelled once")
    }

    @Test func `the receipt exists after the ride`() async throws {
        server.put(Fixture.ride(.inProgress))
        let rides = try managers().rides
        let error = await #expect(throws: DataError.self) { _ = try await rides.receipt(of: "rid_1") }
        #expect(error?.reason == .rideNotCompleted)
        server.put(Fixture.ride(.completed))
        #expect(try await rides.receipt(of: "rid_1").fare == Fixture.euros(900))
    }

    @Test func `an unreadable option, quote or ride leaves the others`() async throws {
        let good = String(decoding: Fixture.data(Fixture.quote), as: UTF8.self)
        server.change { $0.refusals["/v1/ride/quotes"] = [.text("{\"items\":[{},\(good)]}")] }
        #expect(try await managers().rides.quotes(for: Fixture.trip) == [Fixture.quote])
    }

    // MARK: Places

    @Test func `a search for places is answered from memory for a minute`() async throws {
        let clock = ManualClock()
        let locations = try ManagersUnderTest(over: server, as: .ada, now: { clock.date }).locations
        for query in ["opera", " opera ", "opera"] {
            #expect(try await locations.places(matching: query, near: Fixture.quay) == [Fixture.operaHouse])
        }
        #expect(server.requests.map { $0.url.query() } == ["q=opera&latitude=-33.861&longitude=151.211"])
        _ = try await locations.places(matching: "", near: Fixture.quay)
        #expect(server.requests.last?.url.query() == "latitude=-33.861&longitude=151.211")
        clock.pass(.seconds(61))
        _ = try await locations.places(matching: "opera", near: Fixture.quay)
        #expect(server.requests.count == 3)
    }

    @Test func `a failed search is not remembered`() async throws {
        let locations = try managers().locations
        server.change { $0.isDown = true }
        await #expect(throws: DataError.self) { try await locations.places(matching: "quay", near: nil) }
        server.change { $0.isDown = false }
        #expect(try await locations.places(matching: "quay", near: nil) == [Fixture.operaHouse])
    }
}
