import ClientTesting
import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

struct ReferenceTests {
    private static let skus = AvailabilityQuery { $0.skus = ["a&b", "c"] }
    private static let season = SeasonQuery { ($0.season, $0.page) = ("71", PageQuery(limit: 2, cursor: "x.y")) }
    private static let place = ShippingMethodsQuery {
        ($0.country, $0.location) = ("AU", GeoPoint(latitude: -33.5, longitude: 151))
    }
    private static let unsent = AllOrdersQuery {
        ($0.search, $0.page.limit) = (OrderSearch(isUnsent: true, text: "a b"), 2)
    }
    private static let file = ImportQuery { ($0.format, $0.isDryRun, $0.name) = (.layersJSON, true, "f.json") }

    @Test(arguments: [
        (Contract.removeCartLine.call("a/b ?ü"), "/v1/cart/lines/a%2Fb%20%3F%C3%BC"),
        (Contract.availability.call(query: skus), "/v1/availability?sku=a%26b&sku=c"),
        (Contract.themes.call(query: season), "/v1/themes?season=71&limit=2&cursor=x.y"),
        (Contract.orders.call(), "/v1/orders"), (Contract.asset.call("x/y z.svg"), "/assets/x/y%20z.svg"),
        (
            Contract.shippingMethods.call(query: place),
            "/v1/cart/shipping-methods?country=AU&latitude=-33.5&longitude=151.0"
        ),
        (Contract.allOrders.call(query: unsent), "/v1/admin/orders?unsent=true&q=a%20b&limit=2"),
        (Contract.importCatalog.call(query: file), "/v1/admin/imports?format=layers-json&dryRun=true&name=f.json"),
    ])
    func `ids and query values are percent-encoded in the URL`(call: EndpointCall, reference: String) async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let session = Fixture.data(Fixture.session())
        let service = APIWrapper(
            server: try #require(URL(string: "https://shop.example/base/")), transport: transport,
            sessionStore: MemorySessionStore(session), now: { Date.sample })
        _ = try await service.call(call)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://shop.example/base" + reference])
    }
}

struct RequestTests {
    private let body = Data("{}".utf8)

    private func sent(_ call: EndpointCall, _ options: CallOptions = CallOptions()) async throws -> NetworkRequest {
        let transport = RecordingTransport { _ in .text("{}") }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        _ = try await makeService(over: transport, store: store).call(call, options)
        return try #require(transport.requests.first)
    }

    @Test func `a signed-in customer's POST gets an idempotency key, the caller's if given`() async throws {
        #expect(try await sent(Contract.checkout.call(body: body)).headers["Idempotency-Key"] == "made-key")
        let own = try await sent(Contract.buyNow.call(body: body), CallOptions(idempotencyKey: "own"))
        #expect(own.headers["Idempotency-Key"] == "own")
        #expect(try await sent(Contract.setCartLine.call("a", body: body)).headers["Idempotency-Key"] == nil)
    }

    @Test func `a call that is repeated after a refresh keeps its key`() async throws {
        let transport = RecordingTransport { request in
            if request.url.path() == "/v1/sessions/refresh" { return .json(Fixture.session("access-2")) }
            return request.headers["Authorization"] == "Bearer access-2" ? .text("{}") : .problem(.tokenExpired)
        }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        let keys = Counter()
        let service = APIWrapper(
            server: try #require(URL(string: "http://127.0.0.1")), transport: transport, sessionStore: store,
            now: { Date.sample },
            makeKey: { "key-\(keys.increment())" })
        _ = try await service.call(Contract.checkout.call(body: body))
        let sent = transport.requests(to: "/v1/cart/checkout").map { $0.headers["Idempotency-Key"] }
        #expect(sent == ["key-1", "key-1"])
    }

    @Test func `reading the catalogue sends no token`() async throws {
        #expect(try await sent(Contract.seasons.call()).headers["Authorization"] == nil)
        #expect(try await sent(Contract.cart.call()).headers["Authorization"] == "Bearer access-1")
    }

    @Test func `conditions are sent, and 304 is a good answer only to a conditional call`() async throws {
        let request = try await sent(Contract.clearCart.call(), CallOptions(ifMatch: #""7""#, ifNoneMatch: #""8""#))
        #expect(request.headers["If-Match"] == #""7""# && request.headers["If-None-Match"] == #""8""#)
        let service = try makeService(over: StubTransport { _ in NetworkResponse(status: 304) })
        #expect(try await service.call(Contract.seasons.call(), CallOptions(ifNoneMatch: #""8""#)).status == 304)
        await #expect(throws: ServiceError.self) { _ = try await service.call(Contract.seasons.call()) }
    }

    @Test func `a call that needs a session is not sent without one`() async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let service = try makeService(over: transport)
        #expect(await failureReason { try await service.call(Contract.orders.call()) } == .notSignedIn)
        #expect(transport.requests.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ServiceRetryTests {
    private let body = Data("{}".utf8)
    private let atOnce = RetryPolicy.withoutPauses()

    private func store(expiresIn seconds: TimeInterval = 900) -> MemorySessionStore {
        MemorySessionStore(Fixture.data(Fixture.session(expiresIn: seconds)))
    }

    @Test func `a purchase whose answer was lost is repeated with the same key and the same bytes`() async throws {
        let calls = Counter()
        let transport = RecordingTransport { _ throws(NetworkError) in
            guard calls.increment() > 2 else { throw .connectionLost("test") }
            return .json(Fixture.order(), status: 201)
        }
        let service = try makeService(over: transport, store: store(), retries: atOnce)
        #expect(try await service.call(Contract.checkout.call(body: body)).status == 201)
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["made-key", "made-key", "made-key"])
        #expect(transport.requests.allSatisfy { $0 == transport.requests.first })
    }

    @Test func `a sign-up is not repeated after a lost answer, because it may have taken effect`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .connectionLost("test") }
        let service = try makeService(over: transport, retries: atOnce)
        let reason = await failureReason { try await service.call(Contract.signUp.call(body: body)) }
        #expect(reason == .network(.connectionLost("test")))
        #expect(transport.requests.count == 1)
    }

    @Test func `a refresh whose answer was lost is repeated with its token, and ends no session`() async throws {
        let renewals = Counter()
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.url.path() == "/v1/sessions/refresh" else { return .text("{}") }
            guard renewals.increment() > 1 else { throw .timedOut }
            return .json(Fixture.session("access-2", refresh: "refresh-2"))
        }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: atOnce)
        _ = try await service.call(Contract.cart.call())
        let sent = transport.requests(to: "/v1/sessions/refresh")
        #expect(sent.count == 2 && sent.first?.body == sent.last?.body)
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer access-2")
    }

    @Test func `a refresh is not repeated after the server may have forgotten the use of the token`() async throws {
        let clock = ManualClock()
        var policy = RetryPolicy(attempts: 9, deadline: .seconds(500))
        policy.longestRetryAfter = .seconds(100)
        policy.jitter = { _ in .zero }
        let transport = RecordingTransport { _ in NetworkResponse(status: 503, headers: ["Retry-After": "30"]) }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: policy, clock: clock)
        let call = Task { _ = try await service.call(Contract.cart.call()) }
        // While an attempt is running, the clock has its timeout, which is longer than the pause.
        var looks = Looks()
        while await clock.sleepers(1) > .seconds(30) { try await looks.pause() }
        await clock.advance(by: .seconds(30))
        await #expect(throws: ServiceError.self) { try await call.value }
        #expect(transport.requests.count == 2)
    }

    @Test func `after the last attempt the server's own error is thrown, with its Retry-After`() async throws {
        let headers: HeaderFields = ["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT", "Request-Id": "req-9"]
        let service = try makeService(
            over: StubTransport { _ in NetworkResponse(status: 503, headers: headers) }, retries: atOnce)
        let error = await #expect(throws: ServiceError.self) { try await service.call(Contract.seasons.call()) }
        #expect(error?.status == 503 && error?.requestId == "req-9")
        #expect(error?.retryAfter == .seconds(60))
    }

    @Test func `all calls together send a dead server a bounded number of retries`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .unreachable("test") }
        let service = try makeService(over: transport, retries: atOnce)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try? await service.call(Contract.seasons.call()) } }
        }
        #expect(transport.requests.count == 120)
    }
}
