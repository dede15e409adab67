import ClientTesting
import Foundation
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RideFollowingTests {
    private let shop = TestShop()
    private let clock = ManualClock()
    private let requested = Ride.sample(.requested)
    private let accepted = Ride.sample(.accepted)

    private func managers(reports: RowReports = RowReports()) throws -> ManagersUnderTest {
        let store = MemorySessionStore(Fixture.data(Shopper.ada.session))
        return try ManagersUnderTest(over: shop, store: store, serviceClock: clock, reportRow: { reports.add($0) })
    }

    /// All elements that a subscriber gets.
    private func all(_ rides: RideChanges) -> Task<[Ride], any Error> {
        Task { try await rides.reduce(into: []) { $0.append($1) } }
    }

    /// All elements that a subscriber to the ride gets, and its connection.
    private func follow(
        _ ride: Ride, over managers: ManagersUnderTest? = nil
    ) async throws -> (rides: Task<[Ride], any Error>, connection: RideStream) {
        shop.put(ride)
        let rides = all((try managers ?? self.managers()).rides.follow("rid_1"))
        return (rides, try await shop.rideStream())
    }

    /// Lets the pause before a connection pass.
    private func reconnect() async throws {
        try await eventually { clock.slept.count { (.seconds(3)..<(.seconds(30))).contains($0) } == 1 }
        clock.pass(.seconds(20))
    }

    @Test func `the ride comes first, then each change, until the last status`() async throws {
        let (rides, connection) = try await follow(requested)
        let (near, completed) = (accepted.moved(to: -33.86, etaSeconds: 20), Ride.sample(.completed))
        connection.send(": nothing happens\n\n")
        connection.send(status: accepted)
        connection.send(position: near)
        connection.send(position: near)
        for status in [RideStatus.arriving, .inProgress, .completed] { connection.send(status: Ride.sample(status)) }
        #expect(
            try await rides.value
                == [requested, accepted, near, Ride.sample(.arriving), Ride.sample(.inProgress), completed])
        await connection.waitForEnd()
        #expect(shop.requests.map { $0.url.path() } == ["/v1/rides/rid_1", "/v1/rides/rid_1/events"])
    }

    @Test func `a ride that was just requested is known, and no later status is skipped`() async throws {
        let managers = try managers()
        let ride = try await managers.rides.request(.sample(), option: "wallaby", quote: FareQuote.sample())
        var rides = managers.rides.follow(ride.id).makeAsyncIterator()
        #expect(try await rides.next() == ride)
        _ = try await shop.rideStream()
        #expect(shop.requests(to: Contract.ride).isEmpty && shop.requests.last?.headers["Last-Event-ID"] == "1")
    }

    @Test func `a ride that has ended is returned without a connection`() async throws {
        shop.put(Ride.sample(.completed))
        #expect(try await all(try managers().rides.follow("rid_1")).value == [Ride.sample(.completed)])
        #expect(shop.rideStreams.isEmpty)
    }

    @Test func `subscribers to a ride share one connection, which ends with the last of them`() async throws {
        shop.put(requested)
        let managers = try managers()
        let first = Task {
            for try await ride in managers.rides.follow("rid_1") where ride.status == .arriving { return }
        }
        let connection = try await shop.rideStream()
        connection.send(status: accepted)
        var second = managers.rides.follow("rid_1").makeAsyncIterator()
        var seen = try await second.next()
        if seen == requested { seen = try await second.next() }
        #expect(seen == accepted, "at once, as the first knows it")
        connection.send(status: Ride.sample(.arriving))
        try await first.value
        #expect(try await second.next()?.status == .arriving)
        connection.send(status: Ride.sample(.inProgress))
        #expect(try await second.next()?.status == .inProgress)
        #expect(!connection.hasEnded)
        let last = Task { [second] in
            var rides = second
            return try await rides.next()
        }
        last.cancel()
        #expect(try await last.value == nil)
        await connection.waitForEnd()
        #expect(shop.rideStreams.count == 1)
        #expect(shop.requests(to: Contract.ride).count == 1)
    }

    @Test func `a dropped subscription leaves no connection, and one that is not read makes none`() async throws {
        shop.put(requested)
        let managers = try managers()
        do {
            _ = managers.rides.follow("rid_1").makeAsyncIterator()
            #expect(shop.requests.isEmpty)
            var rides = managers.rides.follow("rid_1").makeAsyncIterator()
            #expect(try await rides.next() == requested)
            _ = try await shop.rideStream()
        }
        try await shop.rideStream().waitForEnd()
    }

    @Test func `unreadable events are reported and skipped, unknown ones are ignored`() async throws {
        let reports = RowReports()
        let (rides, connection) = try await follow(requested, over: try managers(reports: reports))
        connection.send("event: status\nid: 2\ndata: <html>\n\nevent: weather\ndata: rain\n\n")
        connection.send("event: position\ndata: {\"driver\":{\"name\":7}}\n\nevent: status\ndata:\n\n")
        connection.send(status: accepted)
        connection.send(status: accepted.next(.noDriversAvailable))
        #expect(try await rides.value == [requested, accepted, accepted.next(.noDriversAvailable)])
        let rows = reports.all
        #expect(rows.map(\.list) == ["rideEvents", "rideEvents", "rideEvents"] && rows.map(\.row) == [0, 2, 3])
    }

    @Test func `an unreadable last status is read from the ride`() async throws {
        let (rides, connection) = try await follow(requested)
        let completed = Ride.sample(.completed)
        shop.put(completed)
        shop.failNext(Contract.rideEvents, with: .answer(NetworkResponse(status: 204)))
        connection.send("event: status\nid: 5\ndata: {}}\n\n")
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [requested, completed])
    }

    @Test func `repeated events change nothing`() async throws {
        let (rides, connection) = try await follow(requested)
        for _ in 0..<2 {
            for status in [RideStatus.requested, .accepted, .arriving] { connection.send(status: Ride.sample(status)) }
        }
        connection.send(status: Ride.sample(.inProgress))
        connection.send(status: Ride.sample(.completed))
        #expect(try await rides.value.map(\.status) == [.requested, .accepted, .arriving, .inProgress, .completed])
    }

    @Test func `a ride that its driver cancelled stays open until the server ends it`() async throws {
        let (rides, connection) = try await follow(requested)
        let givenUp = accepted.next(.cancelledByDriver)
        let again = givenUp.next(.requested)
        let end = again.next(.accepted).next(.cancelledByDriver)
        for ride in [accepted, givenUp, again, end] { connection.send(status: ride) }
        shop.failNext(Contract.rideEvents, with: .answer(NetworkResponse(status: 204)))
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [requested, accepted, givenUp, again, end])
    }

    // MARK: Sessions

    @Test func `another sign-in ends the stream first, and gets its own connection`() async throws {
        shop.put(accepted)
        shop.put(requested, of: Shopper.bea.owner)
        let managers = try managers()
        var ada = managers.rides.follow("rid_1").makeAsyncIterator()
        #expect(try await ada.next() == accepted)
        let connection = try await shop.rideStream()
        _ = try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        await connection.waitForEnd()
        #expect(try await ada.next() == nil)
        var bea = managers.rides.follow("rid_1").makeAsyncIterator()
        #expect(try await bea.next() == requested)
        try await shop.rideStream(1).send(status: requested.next(.noDriversAvailable))
        #expect(try await bea.next()?.status == .noDriversAvailable)
        #expect(try await ada.next() == nil)
        let tokens = shop.requests(to: Contract.rideEvents).map { $0.headers["Authorization"] }
        #expect(tokens == [Shopper.ada, .bea].map { "Bearer " + $0.owner })
    }

    @Test func `a ride that arrives after another sign-in is not published`() async throws {
        shop.put(accepted)
        let slow = shop.hold(Contract.ride)
        let managers = try managers()
        let rides = all(managers.rides.follow("rid_1"))
        await slow.held(1)
        _ = try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        #expect(try await rides.value.isEmpty)
        #expect(shop.rideStreams.isEmpty)
    }

    @Test func `signing out ends the stream`() async throws {
        let managers = try managers()
        let (rides, connection) = try await follow(accepted, over: managers)
        try await managers.account.signOut()
        #expect(try await rides.value == [accepted])
        await connection.waitForEnd()
    }

    @Test func `a session that was ended elsewhere ends the stream without an error`() async throws {
        let managers = try managers()
        let (rides, connection) = try await follow(accepted, over: managers)
        shop.failNext(Contract.rideEvents, with: .problem(.unauthenticated))
        shop.failNext(Contract.refreshSession, with: .problem(.tokenReused))
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [accepted])
        #expect(managers.account.session == nil)
    }

    @Test func `a session whose tokens are refused ends the stream without an error`() async throws {
        let (rides, connection) = try await follow(accepted)
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        shop.failNext(Contract.rideEvents, with: .problem(.unauthenticated))
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [accepted])
    }

    @Test func `following fails without a session, and for another customer's ride`() async throws {
        shop.put(accepted, of: Shopper.bea.owner)
        #expect(await thrownReason { try await all(try managers().rides.follow("rid_1")).value } == .notFound)
        let signedOut = try ManagersUnderTest(over: shop)
        #expect(await thrownReason { try await all(signedOut.rides.follow("rid_1")).value } == .notSignedIn)
        #expect(shop.rideStreams.isEmpty)
    }
}
