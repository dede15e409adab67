import Foundation
import PouchEntities
import PouchNetwork
import PouchService
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServiceEventTests {
    private static let path = "/v1/rides/rid_1/events"
    private static let renewalPath = "/v1/sessions/refresh"
    private let path = Path.rides(.events(id: "rid_1"))
    private let server = StubRides()
    private let clock = ManualClock()

    private func service(_ session: UserSession = Fixture.session()) throws -> PouchService {
        try makeService(over: server, store: MemorySessionStore(Fixture.data(session)), clock: clock)
    }

    /// Lets the pause before a connection pass, the first or a later one.
    private func reconnect(_ number: Int = 1, after change: () -> Void = {}) async throws {
        try await eventually { clock.slept.count { (.seconds(3)..<(.seconds(30))).contains($0) } == number }
        change()
        clock.pass(.seconds(20))
    }

    private func reason(_ work: () async throws(ServiceError) -> Void) async -> ServiceError.Reason? {
        do throws(ServiceError) {
            try await work()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `events come with the token of who is signed in, and after a cut from the last one on`() async throws {
        let stream = try service().events(path, lastEventId: "4")
        let events = Task { try await stream.prefix(3).reduce(into: []) { $0.append($1) } }
        let first = await server.connection()
        first.send("event: status\nid: 5\ndata: {\"a\":1}\n\nevent: position\ndata: 2\n\nid: 6\ndata: ha")
        first.cut()
        try await reconnect()
        await server.connection(1).send("data: end\n\n")
        let found = try await events.value
        #expect(found.map(\.id) == ["5", "5", "5"])
        #expect(found.map(\.name) == ["status", "position", "message"])
        #expect(found.map { String(decoding: $0.data, as: UTF8.self) } == [#"{"a":1}"#, "2", "end"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == ["4", "5"])
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer access-1" })
        #expect(server.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test func `a token that a later connection is refused for is renewed once, and the stream goes on`() async throws {
        server.change { state in
            state.refusals[Self.renewalPath] = [.json(Fixture.session("access-2", refresh: "refresh-2"))]
        }
        let stream = try service().events(path)
        let ids = Task {
            var ids: [String] = []
            for try await event in stream { ids.append(event.id) }
            return ids
        }
        let first = await server.connection()
        first.send("id: 1\ndata: a\n\n")
        server.change { $0.refusals[Self.path] = [.problem(.tokenExpired)] }
        first.cut()
        try await reconnect()
        let second = await server.connection(1)
        server.change { $0.refusals[Self.path] = [NetworkResponse(status: 204)] }
        second.send("id: 2\ndata: b\n\n")
        second.cut()
        try await reconnect(2)
        #expect(try await ids.value == ["1", "2"])
        let asked = server.requests("GET " + Self.path)
        #expect(asked.map { $0.headers["Authorization"] } == ["1", "1", "2", "2"].map { "Bearer access-" + $0 })
        #expect(asked.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1", "2"])
    }

    @Test func `a renewed token that is refused as well ends the stream, with the server's words`() async throws {
        server.change { state in
            state.refusals[Self.path] = [.problem(.tokenExpired), .problem(.unauthenticated)]
            state.refusals[Self.renewalPath] = [.json(Fixture.session("access-2", refresh: "refresh-2"))]
        }
        let service = try service()
        let error = await #expect(throws: ServiceError.self) { for try await _ in service.events(path) {} }
        #expect(error?.problem?.code == .unauthenticated)
        #expect(error?.requestId == "req-1")
        #expect(server.requests.count == 3)
    }

    @Test func `a token that has been good may be renewed again, also where no event came meanwhile`() async throws {
        server.change { state in
            state.refusals[Self.path] = [.problem(.tokenExpired)]
            state.refusals[Self.renewalPath] = (2...3).map {
                .json(Fixture.session("access-\($0)", refresh: "r-\($0)"))
            }
        }
        let stream = try service().events(path)
        let id = Task { try await stream.first { _ in true }?.id }
        let first = await server.connection()
        server.change { $0.refusals[Self.path] = [.problem(.tokenExpired)] }
        first.cut()
        try await reconnect()
        await server.connection(1).send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
        #expect(server.requests.last?.headers["Authorization"] == "Bearer access-3")
    }

    @Test(arguments: [true, false])
    func `a server that goes away while a token is renewed is waited for, also before the first connection`(
        isFirst: Bool
    ) async throws {
        server.change { state in
            if !isFirst { state.refusals[Self.path] = [.problem(.tokenExpired)] }
            state.refusals[Self.renewalPath] = [.problem(.unavailable)]
        }
        let session = isFirst ? Fixture.session(expiresIn: -1) : Fixture.session()
        let stream = try service(session).events(path)
        let id = Task { try await stream.first { _ in true }?.id }
        try await eventually { server.requests("POST " + Self.renewalPath).count == 1 }
        server.change { $0.refusals[Self.renewalPath] = [.json(Fixture.session("access-2", refresh: "refresh-2"))] }
        try await reconnect()
        await server.connection().send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test func `a session that has ended ends the stream, after it was told`() async throws {
        server.change { state in
            state.refusals[Self.path] = [.problem(.tokenExpired)]
            state.refusals[Self.renewalPath] = [.problem(.tokenReused)]
        }
        let (service, ends) = (try service(), Counter())
        service.onSessionEnd { _ in ends.increment() }
        #expect(
            await reason { () throws(ServiceError) in for try await _ in service.events(path) {} } == .sessionEnded)
        #expect(ends.value == 1)
    }

    @Test func `nobody, and another than the owner that was meant, gets no connection`() async throws {
        let nobody = try makeService(over: server)
        #expect(await reason { () throws(ServiceError) in for try await _ in nobody.events(path) {} } == .notSignedIn)
        let service = try service()
        #expect(
            await reason { () throws(ServiceError) in for try await _ in service.events(path, owner: "acc_2") {} }
                == .sessionEnded)
        #expect(server.requests.isEmpty)
    }

    @Test func `what is refused, or is no stream, says why`() async throws {
        let service = try service()
        server.change { $0.refusals[Self.path] = [.problem(.notFound)] }
        let error = await #expect(throws: ServiceError.self) { for try await _ in service.events(path) {} }
        #expect(error?.reason == .refused && error?.problem?.code == .notFound && error?.status == 404)
        server.change { $0.refusals[Self.path] = [.text("java.sql.SQLException", status: 200, type: "text/html")] }
        let other = await #expect(throws: ServiceError.self) { for try await _ in service.events(path) {} }
        #expect(other?.reason == .unreadable("no stream of events, but text/html"))
    }

    @Test func `a server that is away for longer than a call would wait is waited for`() async throws {
        server.change { $0.isDown = true }
        let stream = try service().events(path)
        let id = Task { try await stream.first { _ in true }?.id }
        for number in 1...7 { try await reconnect(number) }
        try await reconnect(8) { server.change { $0.isDown = false } }
        await server.connection().send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test func `a connection on which nothing comes for half a minute is made again`() async throws {
        let stream = try service().events(path)
        let id = Task { try await stream.first { _ in true }?.id }
        let silent = await server.connection()
        try await eventually { clock.slept.last == .seconds(30) && clock.sleeperCount == 1 }
        clock.pass(.seconds(30))
        await silent.end()
        try await reconnect()
        await server.connection(1).send("id: 1\ndata: a\n\n")
        #expect(try await id.value == "1")
    }

    @Test(arguments: SomeTransport.allCases)
    func `over a socket a stream takes no place among the requests, and cancelling ends its connection`(
        kind: SomeTransport
    ) async throws {
        let (came, gone) = (Gate(), Gate())
        let server = try LoopbackServer { head, connection in
            guard head.contains("/events") else {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
                return
            }
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nid: 1\ndata: a\n\n")
            connection.waitForEnd()
            gone.open()
        }
        let service = PouchService(
            server: try server.url("/"), transport: try kind.make(),
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session())), requestLimit: 1,
            now: { Fixture.now })
        let task = Task { [path] in
            for try await _ in service.events(path) { came.open() }
        }
        await came.pass()
        #expect(try await service.call(.rides(.list())).status == 200)
        task.cancel()
        try await task.value
        await gone.pass()
    }
}
