import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RideManagerTests {
    private let shop = TestShop()

    private func managers(_ shopper: Shopper = .ada, local: (any LocalStore)? = nil) throws -> ManagersUnderTest {
        try ManagersUnderTest(over: shop, as: shopper, local: local)
    }

    private func request(_ rides: RideManager, quote: FareQuote? = nil) async throws -> Ride {
        try await rides.request(RideWaypoints.sample(), option: "wallaby", quote: quote)
    }

    @Test func `a ride is requested with the shown quote, and is the active one until it ends`() async throws {
        let rides = try managers().rides
        #expect(try await rides.active() == nil)
        #expect(try await rides.options(at: RideWaypoints.sample().pickupLocation) == [RideOption.sample()])
        let quote = try #require(try await rides.quotes(for: RideWaypoints.sample()).first)
        let ride = try await request(rides, quote: quote)
        #expect(try await rides.active() == ride)
        let sent = try #require(shop.requests(to: Contract.requestRide).first?.bodyText)
        #expect(sent.contains(#""quoteID":"quo_wallaby","rideOptionID":"wallaby""#))
        let cancelled = try await rides.cancel(ride.id)
        #expect(cancelled.status == .cancelledByRider)
        #expect(try await rides.active() == nil)
        #expect(try await rides.rides().items == [cancelled])
    }

    @Test func `a ride request left open by an earlier process is resumed as it was, and happens once`() async throws {
        let store = MemoryStore()
        shop.connection = .losesAnswers
        let earlier = try managers(local: store).rides
        #expect(await thrownError { try await request(earlier, quote: FareQuote.sample()) }?.mayHaveTakenEffect == true)
        shop.connection = .up
        let rides = try managers(local: store).rides
        let unresolved = try await rides.unresolvedRequests()
        #expect(unresolved.map(\.waypoints) == [RideWaypoints.sample()])
        #expect(unresolved.map(\.rideOptionID) == ["wallaby"] && unresolved.map(\.startedAt) == [Date.sample])
        let ride = try await rides.resume(try #require(unresolved.first))
        #expect(ride.id == "rid_1")
        #expect(try await rides.rides().items == [ride])
        let tries = shop.requests(to: Contract.requestRide)
        #expect(tries.count == 2 && tries[0].body == tries[1].body)
        #expect(tries[0].headers["Idempotency-Key"] == tries[1].headers["Idempotency-Key"])
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    /// Otherwise a follower that connects after the change waits for it in vain.
    @Test func `a ride that advances before its follower connects is not lost`() async throws {
        shop.put(.sample(.requested))
        let managers = try managers()
        let gate = shop.hold(Contract.rideEvents)
        let statuses = Task {
            try await managers.rides.follow("rid_1").reduce(into: [RideStatus]()) { $0.append($1.status) }
        }
        await gate.held()
        for status in [RideStatus.accepted, .arriving] { shop.advance("rid_1", to: status) }
        gate.open()
        _ = try await shop.rideStream()
        for status in [RideStatus.inProgress, .completed] { shop.advance("rid_1", to: status) }
        #expect(try await statuses.value == [.requested, .accepted, .arriving, .inProgress, .completed])
    }

    @Test func `an equal request is a repetition, a different one is not`() async throws {
        shop.connection = .losesAnswers
        let rides = try managers().rides
        for quote in [nil, nil, FareQuote.sample()] {
            await #expect(throws: DataError.self) { try await request(rides, quote: quote) }
        }
        let keys = shop.requests(to: Contract.requestRide).map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }

    @Test func `an unresolved request is listed for its owner only, can be given up, and expires`() async throws {
        shop.connection = .losesRequests
        let store = MemoryStore()
        let rides = try managers(local: store).rides
        await #expect(throws: DataError.self) { try await request(rides) }
        #expect(try await managers(.bea, local: store).rides.unresolvedRequests().isEmpty)
        #expect(try await ManagersUnderTest(over: shop, local: store).rides.unresolvedRequests().isEmpty)
        let late = try ManagersUnderTest(
            over: shop, as: .ada, local: store, now: { Date.sample.addingTimeInterval(86_400) })
        #expect(try await late.rides.unresolvedRequests().isEmpty)
        try await rides.discard(try #require(try await rides.unresolvedRequests().first))
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    @Test(arguments: [
        (ProblemCode.rideInProgress, DataError.Reason.rideInProgress), (.quoteExpired, .quoteExpired),
        (.quoteMismatch, .quoteMismatch),
    ])
    func `a refusal has a reason, and leaves nothing open`(code: ProblemCode, reason: DataError.Reason) async throws {
        shop.failNext(Contract.requestRide, with: .problem(code))
        let rides = try managers().rides
        #expect(await thrownReason { try await request(rides, quote: FareQuote.sample()) } == reason)
        #expect(try await rides.unresolvedRequests().isEmpty)
    }

    @Test func `cancelling again after a lost answer returns the cancelled ride`() async throws {
        shop.put(Ride.sample(.accepted))
        shop.connection = .losesAnswers
        let rides = try managers().rides
        await #expect(throws: DataError.self) { _ = try await rides.cancel("rid_1") }
        shop.connection = .up
        #expect(try await rides.cancel("rid_1").status == .cancelledByRider)
        #expect(try await rides.ride(id: "rid_1").history.count == 3, "it was cancelled once")
    }

    @Test func `the receipt exists after the ride`() async throws {
        shop.put(Ride.sample(.inProgress))
        let rides = try managers().rides
        #expect(await thrownReason { try await rides.receipt(of: "rid_1") } == .rideNotCompleted)
        shop.put(Ride.sample(.completed))
        #expect(try await rides.receipt(of: "rid_1").fare == Fixture.euros(900))
    }

    @Test func `an unreadable option, quote or ride leaves the others`() async throws {
        let answer = "{\"items\":[{},\(Fixture.text(FareQuote.sample()))]}"
        shop.failNext(Contract.quoteRide, with: .answer(.text(answer)))
        #expect(try await managers().rides.quotes(for: RideWaypoints.sample()) == [FareQuote.sample()])
    }

    // MARK: Places

    @Test func `a search for places is answered from memory for a minute`() async throws {
        let (clock, pickup) = (ManualClock(), RideWaypoints.sample().pickupLocation)
        let locations = try ManagersUnderTest(over: shop, as: .ada, now: { clock.date }).locations
        for query in ["opera", " opera ", "opera"] {
            #expect(try await locations.places(matching: query, near: pickup) == [NamedLocation.sample()])
        }
        #expect(shop.requests.map { $0.url.query() } == ["q=opera&latitude=-33.861&longitude=151.211"])
        _ = try await locations.places(matching: "", near: pickup)
        #expect(shop.requests.last?.url.query() == "latitude=-33.861&longitude=151.211")
        clock.pass(.seconds(61))
        _ = try await locations.places(matching: "opera", near: pickup)
        #expect(shop.requests.count == 3)
    }

    @Test func `a failed search is not remembered`() async throws {
        let locations = try managers().locations
        shop.connection = .down
        await #expect(throws: DataError.self) { try await locations.places(matching: "opera", near: nil) }
        shop.connection = .up
        #expect(try await locations.places(matching: "opera", near: nil) == [NamedLocation.sample()])
    }
}
