import ClientTesting
import Foundation
import Loopback
import PouchContract
import PouchData
import PouchEntities
import PouchNetwork
import PouchTesting
import PouchWire
import Synchronization
import Testing

@testable import PouchService

/// Faults that were observed in servers and proxies, over real connections.
@Suite(.timeLimit(.minutes(5)))
struct HostileBackendTests {
    /// A fault of a backend, and the errors that a call may throw for it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Data
        let reasons: Set<DataError.Reason>

        init(_ name: String, _ answer: some Sequence<UInt8>, _ reasons: DataError.Reason...) {
            testDescription = name
            self.answer = Data(answer)
            self.reasons = Set(reasons)
        }
    }

    @Test func `a payload is validated by its response, else by its error, and without both it is a failure`() throws {
        let validator = ResponseValidator(kind: .json, explainsRefusals: true, mayBeUnmodified: false, now: { .sample })
        let request = NetworkRequest(url: try #require(URL(string: "http://127.0.0.1")))
        let response = NetworkResponse(status: 200, data: Data("{}".utf8))
        for error in [nil, NetworkError.timedOut] {
            let payload = NetworkPayload(request, response: response, error: error)
            #expect(try validator.validate(payload).get().data == response.data)
        }
        for error in [nil, NetworkError.timedOut, .unreachable("away")] {
            let verdict = validator.validate(NetworkPayload(request, error: error))
            let failure = #expect(throws: ServiceError.self) { try verdict.get() }
            #expect(failure?.reason == .network(error ?? .failed("neither response nor error")))
        }
    }

    private static func answer(
        _ status: String = "200 OK", _ body: Data, length: Int? = nil, _ fields: String = ""
    ) -> Data {
        Data(
            """
            HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(length ?? body.count)\r
            \(fields)Connection: close\r\n\r\n
            """.utf8) + body
    }

    private static func answer(_ body: String, length: Int? = nil, _ fields: String = "") -> Data {
        answer("200 OK", Data(body.utf8), length: length, fields)
    }

    private static let product = Fixture.data(Fixture.product("hat"))
    private static let foreign = Data(#"{"name":"Mütze"}"#.unicodeScalars.map { UInt8($0.value) })
    private static let wide = Data([0xFF, 0xFE]) + Data("<html>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })

    private static let unexpected = DataError.Reason.unexpected(code: nil)
    private static let large = String(repeating: "x", count: 1 << 20)
    private static let fields = "X: 1" + String(repeating: "\r\nX-Y: 12345678901234567890", count: 20_000)

    private static func ok(_ fields: String, _ body: String = "{}") -> Data {
        Data("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)".utf8)
    }

    static let cases: [Case] = [
        Case("a page with a JSON type", answer("<html>Welcome</html>"), .unreadableAnswer),
        Case("a Java exception", answer("java.sql.SQLException: ORA-01017: no\n\tat oracle.jdbc"), .unreadableAnswer),
        Case("an error with 200", answer("200 OK", Fixture.data(Problem(.notFound, requestId: "req-1"))), .notFound),
        Case("an empty 200", answer(""), .unreadableAnswer),
        Case("204 instead of a body", answer("204 No Content", Data()), .unreadableAnswer),
        Case("204 with a body", answer("204 No Content", product), .unreadableAnswer),
        Case("a body cut short", answer("200 OK", product.prefix(40), length: product.count), .connectionLost),
        Case("a length too large", answer("200 OK", product, length: product.count + 1), .connectionLost),
        Case("a length too small", answer("200 OK", product, length: product.count - 1), .unreadableAnswer),
        Case("a length that is not a number", ok("Content-Length: -5"), unexpected, .connectionLost),
        Case("chunks without a size", ok("Transfer-Encoding: chunked", "xyz\r\n{}\r\n"), unexpected, .connectionLost),
        Case("Latin-1", answer("200 OK", foreign, "Content-Type: text/html; charset=latin1\r\n"), .unreadableAnswer),
        Case("UTF-16", answer("200 OK", wide), .unreadableAnswer),
        Case("10 MB of spaces", answer("200 OK", Data(repeating: 32, count: 10 << 20)), .unreadableAnswer),
        Case("arrays that do not end", answer(String(repeating: "[", count: 200_000)), .unreadableAnswer),
        Case("a number out of range", answer(#"{"price":{"amount":1e400}}"#), .unreadableAnswer),
        Case("a false claim of gzip", answer("{}", "Content-Encoding: gzip\r\n"), unexpected, .connectionLost),
        Case("no response", Data(), .connectionLost),
        Case("an invalid status line", "200 all right\r\n\r\n".utf8, .noHTTP),
        Case("a status out of range", "HTTP/1.1 2000000 OK\r\n\r\n".utf8, unexpected, .noHTTP),
        Case("a status below 100", "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n".utf8, unexpected, .noHTTP),
        Case("a switch of protocols", "HTTP/1.1 101 X\r\nUpgrade: x\r\n\r\n".utf8, .connectionLost, .unreadableAnswer),
        Case("a field of 1 MB", ok("X: \(large)"), unexpected),
        Case("20,000 fields", ok(fields), unexpected),
        Case("a redirect loop", answer("302 Found", Data(), "Location: /again\r\n"), .unreadableAnswer),
        Case("a redirect to nowhere", answer("302 Found", Data(), "Location: http:\r\n"), .unreadableAnswer),
        Case("a 500 with a page", answer("500 Oops", Data("<html>".utf8)), .serverFailed),
        Case("a 502 of a proxy", answer("502 Bad Gateway", Data("<html>".utf8)), .busy(retryAfter: nil)),
    ]

    private static let hat = answer("200 OK", product)

    private func data(
        _ kind: SomeTransport, at server: LoopbackServer, retries: RetryPolicy = .once,
        clock: any Clock<Duration> = ContinuousClock(), bodyLimit: Int = NetworkBody.standardLimit
    ) throws -> DataManager {
        DataManager(
            service: APIWrapper(
                server: try server.url(""), transport: try kind.make(),
                sessionStore: MemorySessionStore(Fixture.data(Fixture.session())),
                options: NetworkOptions(retries: retries), bodyLimit: bodyLimit, clock: clock, now: { Date.sample }))
    }

    private func reason(_ call: () async throws(DataError) -> some Sendable) async -> DataError.Reason? {
        do throws(DataError) {
            _ = try await call()
            return nil
        } catch {
            #expect(error.description.utf8.count < 2_000)
            #expect(error.errorDescription?.contains("java") == false)
            return error.reason
        }
    }

    private static let hatWithMore = [
        Data("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) + hat,
        hat + Data("HTTP/1.1 200 OK\r\n\r\n<html>".utf8),
    ]

    @Test(arguments: SomeTransport.allCases, cases)
    func `a call to a hostile backend ends with a typed error`(kind: SomeTransport, hostile: Case) async throws {
        let server = try LoopbackServer { _, connection in connection.write(hostile.answer) }
        let data = try data(kind, at: server)
        let reason = try #require(await reason { () throws(DataError) in try await data.product(handle: "hat") })
        #expect(hostile.reasons.contains(reason), "\(reason)")
        #expect(server.heads.count == (hostile.testDescription.contains("loop") ? 6 : 1))
    }

    @Test(arguments: SomeTransport.allCases, hatWithMore)
    func `early hints, and bytes after an answer, are not part of it`(kind: SomeTransport, answer: Data) async throws {
        let server = try LoopbackServer { _, connection in connection.write(answer) }
        #expect(try await data(kind, at: server).product(handle: "hat").handle == "hat")
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `an answer that drips ends at the timeout`(kind: SomeTransport) async throws {
        let (clock, sent) = (ManualClock(), Gate())
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{")
            for _ in 0..<50 { connection.write(" ") }
            sent.open()
            connection.waitForEnd()
        }
        let data = try data(kind, at: server, clock: clock)
        let call = Task { await reason { () throws(DataError) in try await data.product(handle: "hat") } }
        await sent.pass()
        await clock.advance(by: .seconds(60))
        #expect(await call.value == .timedOut)
        #expect(server.heads.count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `an answer above the limit ends before it is complete`(kind: SomeTransport) async throws {
        let written = Counter()
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Data("10000\r\n".utf8) + Data(repeating: 32, count: 0x10000) + Data("\r\n".utf8)
            while written.value < 2_048, connection.write(chunk) { written.increment() }
            connection.waitForEnd()
        }
        let data = try data(kind, at: server, bodyLimit: 1 << 20)
        #expect(await reason { () throws(DataError) in try await data.product(handle: "hat") } == .unreadableAnswer)
    }

    @Test(arguments: SomeTransport.allCases, [true, false])
    func `a connection cut before or after the effect leads to one effect and its answer`(
        kind: SomeTransport, isAfter: Bool
    ) async throws {
        // Recognises a purchase by its key, as the server does.
        let orders = Mutex<[String: Int]>([:])
        let calls = Counter()
        let good = Self.answer("201 Created", Fixture.data(Fixture.order()))
        let server = try LoopbackServer { head, connection in
            let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
            let isCut = calls.increment() < 3
            if !isCut || isAfter { orders.withLock { $0[key.map(String.init) ?? "", default: 0] += 1 } }
            if isCut { connection.reset() } else { connection.write(good) }
        }
        let data = try data(kind, at: server, retries: .withoutPauses())
        let order = try await data.checkout(
            Fixture.cart(), paymentMethod: .card(token: "tok_ok"), expectedTotal: Fixture.euros(1), email: nil)
        #expect(order.number == "P-1" && orders.withLock { $0.count } == 1)
        #expect(server.heads.count == 3 && Set(server.bodies).count == 1)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a connection cut at any byte never gives an incomplete answer`(kind: SomeTransport) async throws {
        // If the head is cut, URLSession on Linux stops the process: "Transfer completed, but there's no response."
        let first = kind == .urlSession ? Self.hat.count - Self.product.count : 0
        let lengths = Mutex(Array(stride(from: first, to: Self.hat.count, by: 13)))
        let server = try LoopbackServer { _, connection in
            connection.write(Self.hat.prefix(lengths.withLock { $0.removeFirst() }))
        }
        let data = try data(kind, at: server)
        for _ in 0..<lengths.withLock({ $0.count }) {
            let reason = await reason { () throws(DataError) in try await data.product(handle: "hat") }
            #expect(reason == .connectionLost || reason == .unexpected(code: nil), "\(String(describing: reason))")
        }
        #expect(lengths.withLock { $0.isEmpty })
        #expect(!server.heads.isEmpty)
    }
}

struct HostileBodyTests {
    private func failure(
        of response: NetworkResponse, to path: EndpointCall = Contract.seasons.call()
    ) async throws -> ServiceError {
        let service = try makeService(over: StubTransport { _ in response })
        return try #require(await #expect(throws: ServiceError.self) { try await service.call(path) })
    }

    @Test(arguments: [
        ("<html><body>Welcome</body></html>", "application/json"),
        ("java.sql.SQLException: ORA-01017", "application/json"),
        ("null", "application/json"), ("", "application/json"), (" \n", "application/json"), ("OK", "text/plain"),
    ])
    func `a success that is not JSON is an error for any media type`(body: String, type: String) async throws {
        let error = try await failure(of: .text(body, type: type))
        if case .unreadable = error.reason {} else { Issue.record("\(error)") }
        #expect((error.status, error.requestId, error.body) == (200, "req-text", Data(body.utf8)))
    }

    @Test func `a success status with an error body is that error`() async throws {
        let body = Fixture.data(Problem(.unavailable, requestId: "req-7"))
        let error = try await failure(of: NetworkResponse(status: 200, data: body))
        #expect((error.reason, error.problem?.code, error.requestId) == (.refused, .unavailable, "req-7"))
    }

    @Test(arguments: [("", 1), ("<html>Bad Gateway</html>", 1), (#"{"error":"x"}"#, 1), ("[", 4), ("[", 100_000)])
    func `an error status has its error, with the start of any body`(part: String, count: Int) async throws {
        let body = String(repeating: part, count: count)
        let error = try await failure(of: .text(body, status: 502))
        #expect(error.reason == .unreadable("no problem document"))
        #expect((error.status, error.problem?.code, error.body) == (502, nil, Data(body.utf8)))
        #expect(error.description.utf8.count < 1_000)
    }

    @Test func `a huge error body is cut`() async throws {
        let error = try await failure(of: .text(String(repeating: "x", count: 1 << 20), status: 500))
        #expect(error.body.count == 128 << 10)
    }

    @Test func `a garbled session keeps its tokens out of the error`() async throws {
        for body in [#"{"remoteSession":{"accessToken":"secret"}}"#, "x secret"] {
            let error = try await failure(of: .text(body, status: 201), to: Contract.startGuestSession.call())
            #expect(error.body.isEmpty && !error.description.contains("secret"))
        }
    }

    @Test func `an answer that looks like JSON is returned unchanged`() async throws {
        for body in [" {\"items\":[nothing]}\n", #"{"items":"[{\"","path":"\\"}"#, "{\"items\":\"[{\n}"] {
            let service = try makeService(over: StubTransport { _ in .text(body) })
            #expect(try await service.call(Contract.seasons.call()).data == Data(body.utf8))
        }
    }

    @Test func `an answer of the announced length is not searched for open brackets`() async throws {
        let body = Data(#"{"items":[{"id":1}"#.utf8)
        let response = NetworkResponse(status: 200, headers: ["Content-Length": "\(body.count)"], data: body)
        let service = try makeService(over: StubTransport { _ in response })
        #expect(try await service.call(Contract.seasons.call()).data == body)
    }

    @Test func `assets may be any bytes`() async throws {
        let service = try makeService(over: StubTransport { _ in .text("<svg/>", type: "image/svg+xml") })
        #expect(try await service.call(Contract.asset.call("a.svg")).data == Data("<svg/>".utf8))
    }
}
