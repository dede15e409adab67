import ClientTesting
import Foundation
import PouchContract
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

struct PathTests {
    private static let body = Data("{}".utf8)

    private static let everyPath: [Path] =
        [.healthLive, .healthReady, .openAPI, .asset(path: "a/b.svg")].map(Path.system)
        + [
            .signUp(body: body), .signIn(body: body), .startGuestSession, .refreshSession(body: body), .signOut,
            .profile,
            .updateProfile(body: body), .delete(body: body), .changePassword(body: body), .addresses(),
            .addAddress(body: body), .updateAddress(id: "1", body: body), .deleteAddress(id: "1"),
            .confirmSession(body: body), .secondFactor, .beginSecondFactor, .enableSecondFactor(body: body),
            .removeSecondFactor, .acceptInvitation(body: body),
            .requestPasswordReset(body: body), .resetPassword(body: body), .requestVerification,
            .verifyEmail(body: body), .changeEmail(body: body), .sessions(), .endSession(id: "1"), .export,
        ].map(Path.account)
        + [
            .shop, .seasons(), .themes(), .categories(), .promotions(), .products(.init()), .product(handle: "h"),
            .availability(skus: ["a"]),
        ].map(Path.catalog)
        + [
            .current, .clear, .addLine(body: body), .setLine(sku: "s", body: body), .removeLine(sku: "s"),
            .setDiscount(body: body), .removeDiscount, .shippingMethods(), .setShipping(body: body),
            .checkout(body: body),
        ].map(Path.cart)
        + [
            .preview(body: body), .buyNow(body: body), .list(), .order(id: "o"), .cancel(id: "o"),
            .changeDelivery(id: "o", body: body), .events(id: "o"), .byLink(body: body),
        ].map(Path.orders)
        + [
            .places(), .options(latitude: 0, longitude: 0), .quote(body: body), .request(body: body), .list(),
            .ride(id: "r"), .cancel(id: "r"), .receipt(id: "r"), .events(id: "r"),
        ].map(Path.rides)
        + [
            .importCatalog(file: URL(filePath: "/feed.csv"), mediaType: "text/csv", format: "csv", dryRun: false),
            .catalogImport(id: "i"), .updateVariant(sku: "s", body: body), .discounts(), .addDiscount(body: body),
            .updateDiscount(id: "d", body: body), .deleteDiscount(id: "d"), .scheduledPrices(),
            .schedulePrice(body: body), .deleteScheduledPrice(id: "p"), .orders(), .order(id: "o"),
            .updateOrder(id: "o", body: body), .cancel(id: "o"), .fulfil(id: "o", body: body),
            .deliver(id: "o"), .refund(id: "o", body: body), .addNote(id: "o", body: body), .packingSlip(id: "o"),
            .customers(), .customer(id: "c"), .sales(), .stock(), .exportOrders(), .exportCustomers, .exportStock,
            .staff(), .inviteStaff(body: body), .changeStaffRole(id: "a", body: body), .removeStaff(id: "a"),
            .apiKeys(), .createAPIKey(body: body), .revokeAPIKey(id: "k"),
        ].map(Path.administration)
        + [
            .list(), .audit(), .webhooks(), .addWebhook(body: body), .webhook(id: "w"),
            .updateWebhook(id: "w", body: body), .deleteWebhook(id: "w"), .rotateSecret(id: "w"),
            .deliveries(webhookId: "w"), .redeliver(id: "d"),
        ].map(Path.events)
        + [
            .list(), .add(body: body), .product(key: "p"), .update(key: "p", body: body),
            .addPicture(file: URL(filePath: "/p.png"), mediaType: "image/png"), .export, .categories(),
            .setCategory(id: "c", body: body), .deleteCategory(id: "c"), .seasons(), .setSeason(id: "s", body: body),
            .deleteSeason(id: "s"), .themes(), .setTheme(id: "t", body: body), .deleteTheme(id: "t"), .promotions(),
            .setPromotions(body: body),
        ].map { Path.administration(.products($0)) }

    @Test func `each endpoint of the contract has exactly one path`() {
        #expect(Set(Self.everyPath.map(\.endpoint)) == Set(Endpoint.all))
        #expect(Self.everyPath.count == Endpoint.all.count)
    }

    @Test(arguments: [
        (Path.cart(.removeLine(sku: "a/b ?ü")), "/v1/cart/lines/a%2Fb%20%3F%C3%BC"),
        (.catalog(.availability(skus: ["a&b", "c"])), "/v1/availability?sku=a%26b&sku=c"),
        (.catalog(.themes(season: "71", limit: 2, cursor: "x.y")), "/v1/themes?season=71&limit=2&cursor=x.y"),
        (.orders(.list()), "/v1/orders"),
        (
            .cart(.shippingMethods(country: "AU", latitude: -33.5, longitude: 151)),
            "/v1/cart/shipping-methods?country=AU&latitude=-33.5&longitude=151.0"
        ),
        (
            .rides(.places(search: "opera h", latitude: -33.5, longitude: 151, limit: 5)),
            "/v1/ride/places?q=opera%20h&latitude=-33.5&longitude=151.0&limit=5"
        ),
        (.rides(.options(latitude: -33.5, longitude: 151)), "/v1/ride/options?latitude=-33.5&longitude=151.0"),
        (.system(.asset(path: "x/y z.svg")), "/assets/x/y%20z.svg"),
        (
            .administration(.orders(filter: QueryString([.init(name: "q", value: "a b")]), limit: 2)),
            "/v1/admin/orders?q=a%20b&limit=2"
        ),
        (.administration(.stock(threshold: 3, limit: 2)), "/v1/admin/stock?threshold=3&limit=2"),
        (.administration(.scheduledPrices(sku: "a&b")), "/v1/admin/scheduled-prices?sku=a%26b"),
        (
            .administration(
                .importCatalog(
                    file: URL(filePath: "/f.csv"), mediaType: "text/csv", format: "shopify-csv", dryRun: true)),
            "/v1/admin/imports?format=shopify-csv&dryRun=true&name=f.csv"
        ),
    ])
    func `ids and query values are percent-encoded in the URL`(path: Path, reference: String) async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let session = Fixture.data(Fixture.session())
        let service = APIWrapper(
            server: try #require(URL(string: "https://shop.example/base/")), transport: transport,
            sessionStore: MemorySessionStore(session), now: { Date.sample })
        _ = try await service.call(path)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://shop.example/base" + reference])
    }
}

struct RequestTests {
    private let body = Data("{}".utf8)

    private func sent(_ path: Path, _ options: CallOptions = CallOptions()) async throws -> NetworkRequest {
        let transport = RecordingTransport { _ in .text("{}") }
        let store = MemorySessionStore(Fixture.data(Fixture.session()))
        _ = try await makeService(over: transport, store: store).call(path, options)
        return try #require(transport.requests.first)
    }

    @Test func `a signed-in customer's POST gets an idempotency key, the caller's if given`()
        async throws
    {
        #expect(try await sent(.cart(.checkout(body: body))).headers["Idempotency-Key"] == "made-key")
        let own = try await sent(.orders(.buyNow(body: body)), CallOptions(idempotencyKey: "own"))
        #expect(own.headers["Idempotency-Key"] == "own")
        #expect(try await sent(.cart(.setLine(sku: "a", body: body))).headers["Idempotency-Key"] == nil)
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

    @Test func `conditions are sent, and 304 is a good answer only to a conditional call`() async throws {
        let request = try await sent(.cart(.clear), CallOptions(ifMatch: "\"7\"", ifNoneMatch: "\"8\""))
        #expect(request.headers["If-Match"] == "\"7\"")
        #expect(request.headers["If-None-Match"] == "\"8\"")

        let service = try makeService(over: StubTransport { _ in NetworkResponse(status: 304) })
        let answer = try await service.call(.catalog(.seasons()), CallOptions(ifNoneMatch: "\"8\""))
        #expect(answer.status == 304)
        await #expect(throws: ServiceError.self) { _ = try await service.call(.catalog(.seasons())) }
    }

    @Test func `a call that needs a session is not sent without one`() async throws {
        let transport = RecordingTransport { _ in .text("{}") }
        let service = try makeService(over: transport)
        #expect(await failureReason { try await service.call(.orders(.list())) } == .notSignedIn)
        #expect(transport.requests.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ServiceRetryTests {
    private let body = Data("{}".utf8)
    private let atOnce: RetryPolicy

    init() {
        var policy = RetryPolicy()
        policy.jitter = { _ in .zero }
        atOnce = policy
    }

    private func store(expiresIn seconds: TimeInterval = 900) -> MemorySessionStore {
        MemorySessionStore(Fixture.data(Fixture.session(expiresIn: seconds)))
    }

    @Test func `a purchase whose answer was lost is repeated with the same key and the same bytes`()
        async throws
    {
        let calls = Counter()
        let transport = RecordingTransport { _ throws(NetworkError) in
            calls.increment()
            guard calls.value > 2 else { throw .connectionLost("test") }
            return .json(Fixture.order(), status: 201)
        }
        let service = try makeService(over: transport, store: store(), retries: atOnce)
        #expect(try await service.call(.cart(.checkout(body: body))).status == 201)
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["made-key", "made-key", "made-key"])
        #expect(transport.requests.allSatisfy { $0 == transport.requests.first })
    }

    @Test func `a sign-up is not repeated after a lost answer, because it may have taken effect`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .connectionLost("test") }
        let service = try makeService(over: transport, retries: atOnce)
        let error = await #expect(throws: ServiceError.self) {
            _ = try await service.call(.account(.signUp(body: body)))
        }
        #expect(error?.reason == .connectionLost("test"))
        #expect(transport.requests.count == 1)
    }

    @Test func `a refresh whose answer was lost is repeated with the same token and does not sign the customer out`()
        async throws
    {
        let renewals = Counter()
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.url.path() == "/v1/sessions/refresh" else { return .text("{}") }
            renewals.increment()
            guard renewals.value > 1 else { throw .timedOut }
            return .json(Fixture.session("access-2", refresh: "refresh-2"))
        }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: atOnce)
        _ = try await service.call(.cart(.current))
        let sent = transport.requests(to: "/v1/sessions/refresh")
        #expect(sent.count == 2 && sent.first?.body == sent.last?.body)
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer access-2")
    }

    @Test func `a refresh is not repeated after the server may have forgotten the use of the token`() async throws {
        let clock = ManualClock()
        var policy = RetryPolicy(attempts: 9, deadline: .seconds(500))
        policy.longestRetryAfter = .seconds(100)
        policy.jitter = { _ in .zero }
        let transport = RecordingTransport { _ in
            NetworkResponse(status: 503, headers: ["Retry-After": "30"])
        }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: policy, clock: clock)
        let call = Task { _ = try await service.call(.cart(.current)) }
        // While an attempt is running, the clock has its timeout, which is longer than the pause.
        var looks = Looks()
        while await clock.sleepers(1) > .seconds(30) { try await looks.pause() }
        await clock.advance(by: .seconds(30))
        await #expect(throws: ServiceError.self) { try await call.value }
        #expect(transport.requests.count == 2)
    }

    @Test func `after the last attempt the server's own error is thrown, with its Retry-After`() async throws {
        let service = try makeService(
            over: StubTransport { _ in
                NetworkResponse(
                    status: 503,
                    headers: ["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT", "Request-Id": "req-9"])
            }, retries: atOnce)
        let error = await #expect(throws: ServiceError.self) { try await service.call(.catalog(.seasons())) }
        #expect(error?.status == 503 && error?.requestId == "req-9")
        #expect(error?.retryAfter == .seconds(60))
    }

    @Test func `all calls together send a dead server a bounded number of retries`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .unreachable("test") }
        let service = try makeService(over: transport, retries: atOnce)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try? await service.call(.catalog(.seasons())) } }
        }
        #expect(transport.requests.count == 120)
    }
}
