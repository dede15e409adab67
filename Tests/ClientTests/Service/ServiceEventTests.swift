import ClientTesting
import Foundation
import PouchEntities
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServiceEventTests {
    private let path = Contract.rideEvents.call("rid_1")
    private let shop = TestShop()
    private let clock = ManualClock()

    init() {
        // A ride without statuses, of which the shop itself sends nothing, for each token.
        let silent = Ride(
            id: "rid_1", status: .requested, waypoints: .sample(), rideOptionID: "wallaby", fare: Fixture.euros(900),
            driver: nil, etaSeconds: nil, createdAt: .sample, history: [])
        for number in 1...3 { shop.put(silent, of: "access-\(number)") }
    }

    private func service(_ session: UserSession = Fixture.session()) throws -> APIWrapper {
        try makeService(over: shop, store: MemorySessionStore(Fixture.data(session)), clock: clock)
    }

    /// The id of the first event of a stream, once there is one.
    private func firstId(_ session: UserSession = Fixture.session()) throws -> Task<String?, any Error> {
        let stream = try service(session).events(path)
        return Task { try await stream.first { _ in true }?.id }
    }

    /// Waits for the pause before a connection
    private func reconnect(_ number: Int = 1, after change: () -> Void = {}) async throws {
        try await eventually { clock.slept.count { (.seconds(3)..<(.seconds(30))).contains($0) } == number }
        change()
        clock.pass(.seconds(20))
    }

    @Test func `events use the customer's token, and continue after the last one on a new connection`() async throws {
        let stream = try service().events(path, lastEventId: "4")
        let events = Task { try await stream.prefix(3).reduce(into: []) { $0.append($1) } }
        let first = try await shop.rideStream()
        first.send("event: status\nid: 5\ndata: {\"a\":1}\n\nevent: position\ndata: 2\n\nid: 6\ndata: ha")
        first.cut()
        try await reconnect()
        try await shop.rideStream(1).send("data: end\n\n")
        let found = try await events.value
        #expect(found.map(\.id) == ["5", "5", "5"] && found.map(\.name) == ["status", "position", "message"])
        #expect(found.map { String(decoding: $0.data, as: UTF8.self) } == [#"{"a":1}"#, "2", "end"])
        #expect(shop.requests.map { $0.headers["Last-Event-ID"] } == ["4", "5"])
        #expect(shop.requests.allSatisfy { $0.headers["Authorization"] == "Bearer access-1" })
        #expect(shop.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test func `a token that is refused on reconnection is refreshed once, and the stream continues`() async throws {
        shop.answer(Contract.refreshSession) { _ in .json(Fixture.session("access-2", refresh: "refresh-2")) }
        let stream = try service().events(path)
        let ids = Task {
            var ids: [String] = []
            for try await event in stream { ids.append(event.id) }
            return ids
        }
        let first = try await shop.rideStream()
        first.send("id: 1\ndata: a\n\n")
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        first.cut()
        try await reconnect()
        let second = try await shop.rideStream(1)
        shop.failNext(Contract.rideEvents, with: .answer(NetworkResponse(status: 204)))
        second.send("id: 2\ndata: b\n\n")
        second.cut()
        try await reconnect(2)
        #expect(try await ids.value == ["1", "2"])
        let asked = shop.requests(to: Contract.rideEvents)
        #expect(asked.map { $0.headers["Authorization"] } == ["1", "1", "2", "2"].map { "Bearer access-" + $0 })
        #expect(asked.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1", "2"])
    }

    @Test func `a refreshed token that is refused as well ends the stream with the server's error`() async throws {
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        shop.failNext(Contract.rideEvents, with: .problem(.unauthenticated))
        shop.answer(Contract.refreshSession) { _ in .json(Fixture.session("access-2", refresh: "refresh-2")) }
        let service = try service()
        let error = await #expect(throws: ServiceError.self) { for try await _ in service.events(path) {} }
        #expect(error?.problem?.code == .unauthenticated && error?.requestId == "req-1")
        #expect(shop.requests.count == 3)
    }

    @Test func `a token that was accepted may be refreshed again, even if no event arrived`() async throws {
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        for number in 2...3 {
            shop.failNext(
                Contract.refreshSession,
                with: .answer(.json(Fixture.session("access-\(number)", refresh: "r-\(number)"))))
        }
        let id = try firstId()
        let first = try await shop.rideStream()
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        first.cut()
        try await reconnect()
        try await shop.rideStream(1).send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
        #expect(shop.requests.last?.headers["Authorization"] == "Bearer access-3")
    }

    @Test(arguments: [true, false])
    func `a stream waits for a server that is away in a refresh, also before it connects`(isFirst: Bool) async throws {
        if !isFirst { shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired)) }
        shop.failNext(Contract.refreshSession, with: .problem(.unavailable))
        let id = try firstId(isFirst ? Fixture.session(expiresIn: -1) : Fixture.session())
        try await eventually { shop.requests(to: Contract.refreshSession).count == 1 }
        shop.answer(Contract.refreshSession) { _ in .json(Fixture.session("access-2", refresh: "refresh-2")) }
        try await reconnect()
        try await shop.rideStream().send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test func `the end of the session ends the stream after the handler was called`() async throws {
        shop.failNext(Contract.rideEvents, with: .problem(.tokenExpired))
        shop.failNext(Contract.refreshSession, with: .problem(.tokenReused))
        let (service, ends) = (try service(), Counter())
        service.onSessionEnd { _ in ends.increment() }
        #expect(await failureReason { for try await _ in service.events(path) {} } == .sessionEnded)
        #expect(ends.value == 1)
    }

    @Test func `a stream without a session, or for another owner, gets no connection`() async throws {
        let signedOut = try makeService(over: shop)
        #expect(await failureReason { for try await _ in signedOut.events(path) {} } == .notSignedIn)
        let service = try service()
        #expect(await failureReason { for try await _ in service.events(path, owner: "acc_2") {} } == .sessionEnded)
        #expect(shop.requests.isEmpty)
    }

    @Test func `a refusal ends the stream with the reason`() async throws {
        let service = try service()
        shop.failNext(Contract.rideEvents, with: .problem(.notFound))
        let error = await #expect(throws: ServiceError.self) { for try await _ in service.events(path) {} }
        #expect(error?.reason == .refused && error?.problem?.code == .notFound && error?.status == 404)
    }

    @Test(arguments: [200, 302, 401, 403, 404, 511])
    func `an answer of another program than the server does not end the stream`(status: Int) async throws {
        shop.failNext(Contract.rideEvents, with: .answer(.text("<html>", status: status, type: "text/html")))
        let id = try firstId()
        try await reconnect()
        try await shop.rideStream().send("id: 1\ndata: {}\n\n")
        #expect(try await id.value == "1")
        #expect(shop.requests.count == 2)
    }

    @Test func `the stream waits for a server longer than a call would`() async throws {
        shop.connection = .down
        let id = try firstId()
        for number in 1...7 { try await reconnect(number) }
        try await reconnect(8) { shop.connection = .up }
        try await shop.rideStream().send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test func `a connection that is silent for half a minute is replaced`() async throws {
        let id = try firstId()
        let silent = try await shop.rideStream()
        try await eventually { clock.slept.last == .seconds(30) && clock.sleeperCount == 1 }
        clock.pass(.seconds(30))
        await silent.waitForEnd()
        try await reconnect()
        try await shop.rideStream(1).send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test func `a stream does not count towards the limit, and cancelling closes it`() async throws {
        let service = try makeService(
            over: shop, store: MemorySessionStore(Fixture.data(Fixture.session())), clock: clock, requestLimit: 1)
        let received = Gate()
        let task = Task { [path] in for try await _ in service.events(path) { received.open() } }
        let connection = try await shop.rideStream()
        connection.send("id: 1\ndata: a\n\n")
        await received.pass()
        #expect(try await service.call(Contract.seasons.call()).status == 200)
        task.cancel()
        try await task.value
        await connection.waitForEnd()
    }
}
