import Foundation
import PouchNetwork
import PouchService
import PouchWire
import Testing

struct RequestTests {
    private let body = Data("{}".utf8)

    private func sent(_ path: Path, _ options: CallOptions = CallOptions()) async throws -> NetworkRequest {
        let transport = RecordingTransport { _ in .text("{}") }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        _ = try await makeService(over: transport, store: store).call(path, options)
        return try #require(transport.requests.first)
    }

    @Test func `a POST of somebody who is signed in gets an idempotency key, the caller's where there is one`()
        async throws
    {
        #expect(try await sent(.cart(.checkout(body: body))).headers["Idempotency-Key"] == "made-key")
        let own = try await sent(.orders(.buyNow(body: body)), CallOptions(idempotencyKey: "own"))
        #expect(own.headers["Idempotency-Key"] == "own")
        #expect(try await sent(.cart(.setLine(sku: "a", body: body))).headers["Idempotency-Key"] == nil)
    }

    @Test func `a repeated try after a renewal bears the same key`() async throws {
        let transport = RecordingTransport { request in
            if request.url.path() == "/v1/sessions/refresh" { return .json(Fixture.session("access-2")) }
            return request.headers["Authorization"] == "Bearer access-2" ? .text("{}") : .problem(.tokenExpired)
        }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let keys = Counter()
        let service = PouchService(
            server: try #require(URL(string: "http://127.0.0.1")), transport: transport, sessionStore: store,
            now: { Fixture.now },
            makeKey: {
                keys.increment()
                return "key-\(keys.value)"
            })
        _ = try await service.call(.cart(.checkout(body: body)))
        let sent = transport.requests(to: "/v1/cart/checkout").map { $0.headers["Idempotency-Key"] }
        #expect(sent == ["key-1", "key-1"])
    }

    @Test func `reading the catalogue sends no token`() async throws {
        #expect(try await sent(.catalog(.seasons())).headers["Authorization"] == nil)
        #expect(try await sent(.cart(.current)).headers["Authorization"] == "Bearer access-1")
    }

    @Test func `conditions are sent, and 304 is a good answer only to a call that asked for it`() async throws {
        let request = try await sent(.cart(.clear), CallOptions(ifMatch: "\"7\"", ifNoneMatch: "\"8\""))
        #expect(request.headers["If-Match"] == "\"7\"")
        #expect(request.headers["If-None-Match"] == "\"8\"")

        let service = try makeService(over: StubTransport { _ in NetworkResponse(status: 304) })
        let answer = try await service.call(.catalog(.seasons()), CallOptions(ifNoneMatch: "\"8\""))
        #expect(answer.status == 304)
        await #expect(throws: ServiceError.self) { _ = try await service.call(.catalog(.seasons())) }
    }

    @Test func `a call that needs somebody is not sent for nobody`() async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let service = try makeService(over: transport)
        await #expect {
            _ = try await service.call(.orders(.list()))
        } throws: {
            ($0 as? ServiceError)?.reason == .notSignedIn
        }
        #expect(transport.requests.isEmpty)
    }
}
