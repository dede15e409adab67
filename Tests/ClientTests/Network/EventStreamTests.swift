import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventStreamTests {
    private let request: NetworkRequest

    init() throws { request = NetworkRequest(url: try #require(URL(string: "http://127.0.0.1/events")), timeout: nil) }

    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
    /// One event, and a second one that is cut short.
    private static let broken =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "11\r\nid: 1\ndata: one\n\n\r\n20\r\ndata: tw"
    private static let over = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    /// A clock whose sleeps end at once.
    private final class NoTime: Clock {
        typealias Instant = ManualClock.Instant
        private let log = Mutex<[Duration]>([])

        var sleeps: [Duration] { log.withLock { $0 } }

        var now: Instant { Instant() }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
            log.withLock { $0.append(deadline.offset) }
        }
    }

    /// The events of a transport that returns these bodies in turn, each piece by piece, and then 204.
    private func events(
        _ bodies: [[Data]], limit: Int = 1 << 20, clock: any Clock<Duration> = NoTime(), lastId: String = ""
    ) async throws -> (events: [ServerSentEvent], requests: [NetworkRequest]) {
        let transport = PieceTransport(bodies)
        let session = NetworkSession(transport, clock: clock)
        let stream = EventStream(request, in: session, lastEventId: lastId, eventLimit: limit)
        var events: [ServerSentEvent] = []
        for try await event in stream { events.append(event) }
        return (events, transport.requests)
    }

    private func read(_ transport: any Transport, retries: RetryPolicy = .once, clock: NoTime = NoTime()) async throws {
        for try await _ in EventStream(request, in: NetworkSession(transport, retries: retries, clock: clock)) {}
    }

    private static let text =
        "\u{FEFF}: a comment\nid: 1\nevent: price\ndata: one\ndata:two\ndata\n\ndata:  é\r\n\r\nid: 2\rdata: cr\r\r"
        + "id\ndata: none\nunknown: x\n\nid: a\u{0}b\ndata: nul\n\nevent: empty\n\nid: 7\n\ndata: half"
    private static let parsed = [
        ServerSentEvent(id: "1", event: "price", data: "one\ntwo\n"), ServerSentEvent(id: "1", data: " é"),
        ServerSentEvent(id: "2", data: "cr"), ServerSentEvent(id: "", data: "none"),
        ServerSentEvent(id: "", data: "nul"),
    ]

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `the pieces of a stream do not change its events`(size: Int) async throws {
        let bytes = Data(Self.text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        let (events, requests) = try await events([pieces])
        #expect(events == Self.parsed)
        #expect(requests.map { $0.headers["Last-Event-ID"] } == [nil, "7"])
        #expect(requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test func `after a lost connection the stream continues after the last event and the server's pause`() async throws
    {
        let clock = NoTime()
        let first = Data("id: 1\ndata: a\n\nretry: 1500\nretry: x\n\nid: half\ndata: b".utf8)
        let second = Data("data: c\n\nretry: 99999999999999\n\n".utf8)
        let (events, requests) = try await events([[first], [second]], clock: clock, lastId: "0")
        #expect(events == [ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", data: "c")])
        #expect(requests.map { $0.headers["Last-Event-ID"] } == ["0", "1", "1"])
        #expect(clock.sleeps == [.milliseconds(1_500), .seconds(300)])
    }

    @Test func `an event above the limit is an error`() async throws {
        let text = String(repeating: "x", count: 2_000)
        for line in ["data: " + text, String(repeating: "data: xxxxxxxxx\n", count: 200)] {
            await #expect(throws: EventStreamError.tooLarge(limit: 1_000)) {
                _ = try await events([[Data("data: ok\n\n".utf8), Data(line.utf8)]], limit: 1_000)
            }
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `over a socket events arrive while the stream is open, and after a cut`(kind: SomeTransport) async throws {
        let count = Counter()
        let server = try LoopbackServer { head, connection in
            let answers = [Self.broken, Self.head + "data: two\n\n", Self.over]
            connection.write(answers[min(count.increment(), 3) - 1])
        }
        let session = NetworkSession(try kind.make(), clock: NoTime())
        let request = NetworkRequest(url: try server.url("/"), timeout: nil)
        var iterator = EventStream(request, in: session).makeAsyncIterator()
        for data in ["one", "two"] { #expect(try await iterator.next() == ServerSentEvent(id: "1", data: data)) }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.heads.count == 3)
        #expect(server.heads[1].lowercased().contains("last-event-id: 1\r\n"))
    }

    @Test(arguments: [(500, 1), (401, 1), (503, 3)])
    func `a refusal ends the stream, at once or after the policy's attempts`(status: Int, times: Int) async throws {
        let transport = RecordingTransport { _ in NetworkResponse(status: status) }
        await #expect(throws: EventStreamError.refused(NetworkResponse(status: status))) {
            try await read(transport, retries: RetryPolicy())
        }
        #expect(transport.requests.count == times)
    }

    @Test func `a refusal includes the server's body up to a limit`() async throws {
        for (count, kept) in [(100, 100), (200 << 10, 0)] {
            let transport = StubTransport { _ in
                NetworkResponse(status: 404, headers: ["Request-Id": "r"], data: Data(count: count))
            }
            let refusal = NetworkResponse(status: 404, headers: ["Request-Id": "r"], data: Data(count: kept))
            await #expect(throws: EventStreamError.refused(refusal)) { try await read(transport) }
        }
    }

    @Test func `failed connections in a row end the stream with the last error`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .unreachable("test") }
        await #expect(throws: EventStreamError.network(.unreachable("test"))) {
            try await read(transport, retries: RetryPolicy(attempts: 4))
        }
        #expect(transport.requests.count == 4)
    }

    @Test func `another media type is an error`() async throws {
        let transport = StubTransport { _ in .text("<html>", type: "text/html") }
        await #expect(throws: EventStreamError.notAnEventStream(mediaType: "text/html")) { try await read(transport) }
    }

    @Test(arguments: SomeTransport.allCases)
    func `cancelling ends the stream without an error, and closes the connection`(kind: SomeTransport) async throws {
        let (received, disconnected) = (Gate(), Gate())
        let server = try LoopbackServer(beginning: Self.head + "data: one\n\n", closed: disconnected)
        let (session, url) = (NetworkSession(try kind.make()), try server.url("/"))
        let task = Task {
            for try await _ in EventStream(NetworkRequest(url: url, timeout: nil), in: session) { received.open() }
        }
        await received.pass()
        task.cancel()
        try await task.value
        await disconnected.pass()
        #expect(server.heads.count == 1)
    }

    @Test func `a pause below the minimum is raised to it`() async throws {
        let clock = NoTime()
        _ = try await events([[Data("retry: 0\ndata: a\n\n".utf8)]], clock: clock)
        #expect(clock.sleeps == [.seconds(1)])
    }

    @Test func `Retry-After is added to the pause before the next connection`() async throws {
        let count = Counter()
        let transport = StubTransport { _ in
            NetworkResponse(status: count.increment() == 1 ? 503 : 204, headers: ["Retry-After": "9"])
        }
        let clock = NoTime()
        try await read(transport, retries: .withoutPauses(), clock: clock)
        #expect(clock.sleeps == [.seconds(3 + 9)], "in addition to the pause before each connection")
    }
}

private final class PieceTransport: Transport {
    private let bodies: Mutex<ArraySlice<[Data]>>
    private let log = Mutex<[NetworkRequest]>([])

    init(_ bodies: [[Data]]) { self.bodies = Mutex(bodies[...]) }

    var requests: [NetworkRequest] { log.withLock { $0 } }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        log.withLock { $0.append(request) }
        guard let body = bodies.withLock({ $0.popFirst() }) else { return StreamedResponse(status: 204) }
        let rest = Mutex(body[...])
        return StreamedResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"],
            body: NetworkBody { () throws(NetworkError) in rest.withLock { $0.popFirst() } })
    }
}
