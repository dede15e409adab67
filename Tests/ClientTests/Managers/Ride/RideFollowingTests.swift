import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RideFollowingTests {
    private static let eventsPath = "/v1/rides/rid_1/events"
    private let server = StubRides()
    private let clock = ManualClock()
    private let requested = Fixture.ride(.requested)
    private let accepted = Fixture.ride(.accepted)

    private final class Reports: Sendable {
        let rows = Mutex<[RowReport]>([])
    }

    private func managers(as shopper: Shopper = .ada, reports: Reports = Reports()) throws -> ManagersUnderTest {
        try ManagersUnderTest(
            over: server, store: MemorySessionStore(Fixture.data(shopper.session)), serviceClock: clock,
            reportRow: { row in reports.rows.withLock { $0.append(row) } })
    }

    /// All elements that a subscriber gets.
    private func all(_ rides: AsyncThrowingStream<Ride, any Error>) -> Task<[Ride], any Error> {
        Task { try await rides.reduce(into: []) { $0.append($1) } }
    }

    /// Lets the pause before a connection pass.
    private func reconnect(_ number: Int = 1, after change: () -> Void = {}) async throws {
        try await eventually { clock.slept.count { (.seconds(3)..<(.seconds(30))).contains($0) } == number }
        change()
        clock.pass(.seconds(20))
    }

    @Test func `the ride comes first, then each change, until the last status`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let connection = await server.connection()
        let (near, completed) = (accepted.moved(to: -33.86, etaSeconds: 20), Fixture.ride(.completed))
        connection.send(": nothing happens\n\n")
        connection.status(accepted)
        connection.position(near)
        connection.position(near)
        for status in [RideStatus.arriving, .inProgress, .completed] { connection.status(Fixture.ride(status)) }
        #expect(
            try await rides.value
                == [requested, accepted, near, Fixture.ride(.arriving), Fixture.ride(.inProgress), completed])
        await connection.end()
        #expect(server.requests.map { $0.url.path() } == ["/v1/rides/rid_1", Self.eventsPath])
    }

    @Test func `a ride that was just requested is known, and no later status is skipped`() async throws {
        let managers = try managers()
        let ride = try await managers.rides.request(Fixture.trip, option: "wallaby", quote: Fixture.quote)
        var rides = managers.rides.follow(ride.id).makeAsyncIterator()
        #expect(try await rides.next() == ride)
        _ = await server.connection()
        #expect(server.requests("GET /v1/rides/rid_1").isEmpty)
        #expect(server.requests.last?.headers["Last-Event-ID"] == "1")
    }

    @Test func `a ride that has ended is returned without a connection`() async throws {
        server.put(Fixture.ride(.completed))
        #expect(try await all(try managers().rides.follow("rid_1")).value == [Fixture.ride(.completed)])
        #expect(server.connections.isEmpty)
    }

    @Test func `subscribers to a ride share one connection, which ends with the last of them`() async throws {
        server.put(requested)
        let managers = try managers()
        let first = Task {
            for try await ride in managers.rides.follow("rid_1") where ride.status == .arriving { return }
        }
        let connection = await server.connection()
        connection.status(accepted)
        var second = managers.rides.follow("rid_1").makeAsyncIterator()
        var seen = try await second.next()
        if seen == requested { seen = try await second.next() }
        #expect(seen == accepted, "at once, as the first knows it")
        connection.status(Fixture.ride(.arriving))
        try await first.value
        #expect(try await second.next()?.status == .arriving)
        connection.status(Fixture.ride(.inProgress))
        #expect(try await second.next()?.status == .inProgress)
        #expect(!connection.hasEnded)
        let last = Task { [second] in
            var rides = second
            return try await rides.next()
        }
        last.cancel()
        #expect(try await last.value == nil)
        await connection.end()
        #expect(server.connections.count == 1)
        #expect(server.requests("GET /v1/rides/rid_1").count == 1)
    }

    @Test func `a stream that is dropped unread leaves no connection`() async throws {
        server.put(requested)
        let managers = try managers()
        do {
            let rides = managers.rides.follow("rid_1")
            _ = await server.connection()
            _ = rides
        }
        await server.connection().end()
    }

    @Test func `a stream that breaks within an event resumes after the last complete one`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let first = await server.connection()
        first.status(accepted)
        first.send("event: status\nid: 3\ndata: {\"status\":\"comp")
        first.cut()
        try await reconnect()
        let second = await server.connection(1)
        second.status(accepted.next(.cancelledByRider))
        #expect(try await rides.value == [requested, accepted, accepted.next(.cancelledByRider)])
        #expect(server.requests("GET " + Self.eventsPath).map { $0.headers["Last-Event-ID"] } == ["1", "2"])
    }

    @Test func `unreadable events are reported and skipped, unknown ones are ignored`() async throws {
        server.put(requested)
        let reports = Reports()
        let rides = all(try managers(reports: reports).rides.follow("rid_1"))
        let connection = await server.connection()
        connection.send("event: status\nid: 2\ndata: <html>\n\nevent: weather\ndata: rain\n\n")
        connection.send("event: position\ndata: {\"driver\":{\"name\":7}}\n\nevent: status\ndata:\n\n")
        connection.status(accepted)
        connection.status(accepted.next(.noDriversAvailable))
        #expect(try await rides.value == [requested, accepted, accepted.next(.noDriversAvailable)])
        let rows = reports.rows.withLock { $0 }
        #expect(rows.map(\.list) == ["rideEvents", "rideEvents", "rideEvents"])
        #expect(rows.map(\.row) == [0, 2, 3])
    }

    @Test func `an unreadable last status is read from the ride`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let connection = await server.connection()
        let completed = Fixture.ride(.completed)
        server.put(completed)
        server.change { $0.refusals[Self.eventsPath] = [NetworkResponse(status: 204)] }
        connection.send("event: status\nid: 5\ndata: {}}\n\n")
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [requested, completed])
    }

    @Test func `repeated events change nothing`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let connection = await server.connection()
        for _ in 0..<2 {
            for status in [RideStatus.requested, .accepted, .arriving] { connection.status(Fixture.ride(status)) }
        }
        connection.status(Fixture.ride(.inProgress))
        connection.status(Fixture.ride(.completed))
        let statuses = try await rides.value.map(\.status)
        #expect(statuses == [.requested, .accepted, .arriving, .inProgress, .completed])
    }

    @Test func `a ride that its driver cancelled stays open until the server ends it`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let connection = await server.connection()
        let givenUp = accepted.next(.cancelledByDriver)
        let again = givenUp.next(.requested)
        let end = again.next(.accepted).next(.cancelledByDriver)
        for ride in [accepted, givenUp, again, end] { connection.status(ride) }
        server.change { $0.refusals[Self.eventsPath] = [NetworkResponse(status: 204)] }
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [requested, accepted, givenUp, again, end])
    }

    @Test func `a restarting server is waited for`() async throws {
        server.put(requested)
        let rides = all(try managers().rides.follow("rid_1"))
        let first = await server.connection()
        server.change { $0.isDown = true }
        first.cut()
        for number in 1...5 { try await reconnect(number) }
        try await reconnect(6) { server.change { $0.isDown = false } }
        await server.connection(1).status(requested.next(.noDriversAvailable))
        #expect(try await rides.value == [requested, requested.next(.noDriversAvailable)])
    }

    // MARK: Sessions

    @Test func `another sign-in ends the stream first, and gets its own connection`() async throws {
        server.put(accepted)
        server.put(requested, of: .bea)
        let managers = try managers()
        var ada = managers.rides.follow("rid_1").makeAsyncIterator()
        #expect(try await ada.next() == accepted)
        let connection = await server.connection()
        _ = try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        await connection.end()
        #expect(try await ada.next() == nil)
        var bea = managers.rides.follow("rid_1").makeAsyncIterator()
        #expect(try await bea.next() == requested)
        await server.connection(1).status(requested.next(.noDriversAvailable))
        #expect(try await bea.next()?.status == .noDriversAvailable)
        #expect(try await ada.next() == nil)
        let tokens = server.requests("GET " + Self.eventsPath).map { $0.headers["Authorization"] }
        #expect(tokens == [Shopper.ada, .bea].map { "Bearer " + $0.owner })
    }

    @Test func `a ride that arrives after another sign-in is not published`() async throws {
        server.put(accepted)
        let slow = Gate()
        server.change { $0.gate = { if $0.url.path() == "/v1/rides/rid_1" { await slow.pass() } } }
        let managers = try managers()
        let rides = all(managers.rides.follow("rid_1"))
        await slow.held(1)
        _ = try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        #expect(try await rides.value.isEmpty)
        #expect(server.connections.isEmpty)
    }

    @Test func `signing out ends the stream`() async throws {
        server.put(accepted)
        let managers = try managers()
        let rides = all(managers.rides.follow("rid_1"))
        let connection = await server.connection()
        try await managers.account.signOut()
        #expect(try await rides.value == [accepted])
        await connection.end()
    }

    @Test func `a session that was ended elsewhere ends the stream without an error`() async throws {
        server.put(accepted)
        let managers = try managers()
        let rides = all(managers.rides.follow("rid_1"))
        let connection = await server.connection()
        server.change { state in
            state.refusals[Self.eventsPath] = [.problem(.unauthenticated)]
            state.refusals["/v1/sessions/refresh"] = [.problem(.tokenReused)]
        }
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [accepted])
        #expect(managers.account.session == nil)
    }

    @Test func `a session whose tokens are refused ends the stream without an error`() async throws {
        server.put(accepted)
        let rides = all(try managers().rides.follow("rid_1"))
        let connection = await server.connection()
        server.change { state in
            state.refusals[Self.eventsPath] = [.problem(.tokenExpired), .problem(.unauthenticated)]
            state.refusals["/v1/sessions/refresh"] = [.json(Shopper.ada.session)]
        }
        connection.cut()
        try await reconnect()
        #expect(try await rides.value == [accepted])
    }

    @Test func `following fails without a session, and for another customer's ride`() async throws {
        server.put(accepted, of: .bea)
        let error = await #expect(throws: DataError.self) { try await all(try managers().rides.follow("rid_1")).value }
        #expect(error?.reason == .notFound)
        let signedOut = try ManagersUnderTest(over: server)
        let other = await #expect(throws: DataError.self) { try await all(signedOut.rides.follow("rid_1")).value }
        #expect(other?.reason == .notSignedIn)
        #expect(server.connections.isEmpty)
    }
}
