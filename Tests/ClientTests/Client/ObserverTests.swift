import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

final class Reports: Sendable {
    private let reports = Collector<NetworkReport>()

    var all: [NetworkReport] { reports.all }
    var last: NetworkReport? { all.last }
    /// Method and path of each, in order.
    var requests: [String] { all.map { "\($0.method) \(URL(string: $0.url)?.path(percentEncoded: true) ?? $0.url)" } }

    var options: NetworkOptions { NetworkOptions(retries: .once, observe: { [reports] in reports.add($0) }) }
}

@Suite(.timeLimit(.minutes(5)))
struct ObserverTests {
    private let reports = Reports()

    private func server(_ text: String = "http://127.0.0.1") throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: SomeTransport.allCases)
    func `a call is reported once, before it returns, with tries, times and sizes`(kind: SomeTransport) async throws {
        let body = String(decoding: Fixture.data(Fixture.cart()), as: UTF8.self)
        let count = Counter()
        let server = try LoopbackServer { _ in
            count.increment() == 1
                ? httpAnswer("503 Busy", "Retry-After: 0", body: "busy")
                : httpAnswer("200 OK", "Request-Id: req-7", body: body)
        }
        var options = reports.options
        options.retries = .withoutPauses(attempts: 2)
        let pouch = Pouch(
            server: try server.url(""), transport: try kind.make(),
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session(expiresIn: 1e9))), network: options)
        _ = try await pouch.cart.add(sku: "a", quantity: 2)
        let report = try #require(reports.all.first)
        #expect(reports.all.count == 1 && report.method == "POST" && report.isRepeated)
        #expect(try report.url == server.url("/v1/cart/lines").absoluteString)
        #expect((report.status, report.requestId, report.error) == (200, "req-7", nil))
        #expect(report.attempts.map(\.outcome) == [.answered(status: 503), .answered(status: 200)])
        #expect(report.attempts.map(\.receivedBytes) == [4, body.utf8.count])
        #expect((report.sentBytes, report.receivedBytes) == (Int64(server.bodies[0].count), body.utf8.count + 4))
        let times = report.attempts.flatMap { [$0.startedAt, $0.headAt, $0.endedAt] }
        let known = times.compactMap(\.self)
        #expect(known.count == 6 && known == known.sorted())
        #expect(report.createdAt <= known[0] && report.endedAt >= known[5])
    }

    @Test func `a refresh of the session, files of the shop and files of a feed are reported, too`() async throws {
        let transport = StubTransport { request in
            switch request.url.path() {
            case "/v1/sessions/refresh": .json(Fixture.session("access-2", expiresIn: 1e9))
            case "/v1/cart": .json(Fixture.cart())
            default: .text("<svg/>", type: "image/svg+xml")
            }
        }
        let pouch = Pouch(
            server: try server(), transport: transport,
            sessionStore: MemorySessionStore(Fixture.data(Fixture.session(expiresIn: -1e9))), network: reports.options)
        _ = try await pouch.cart.refresh()
        _ = try await pouch.assets.data(of: ProductImage(url: "/assets/a.svg", alt: ""))
        let feed = Pouch(
            feed: try server("http://127.0.0.1/feed"), transport: SampleFeed.web(), network: reports.options)
        _ = try await feed.catalog.seasons()
        #expect(
            reports.requests.prefix(4) == [
                "POST /v1/sessions/refresh", "GET /v1/cart", "GET /assets/a.svg", "GET /feed/seasons.json",
            ])
    }

    @Test func `each connection for the events of a ride is reported when it ends`() async throws {
        let rides = TestShop()
        let pouch = Pouch(
            server: try server(), transport: rides,
            sessionStore: MemorySessionStore(Fixture.data(Shopper.ada.session)), network: reports.options)
        rides.put(Ride.sample(.requested))
        let accepted = Gate()
        let following = Task {
            for try await ride in pouch.rides.follow("rid_1") where ride.status == .accepted { accepted.open() }
        }
        _ = try await rides.rideStream()
        rides.advance("rid_1", to: .accepted)
        await accepted.pass()
        let events = "GET /v1/rides/rid_1/events"
        #expect(!reports.requests.contains(events))
        following.cancel()
        _ = await following.result
        try await eventually { reports.requests.contains(events) }
        let report = try #require(reports.all.first { $0.url.hasSuffix("/events") })
        #expect(report.status == 200 && report.attempts.count == 1)
        #expect(report.attempts.first?.headAt != nil && report.attempts.first?.endedAt != nil)
    }

    @Test func `a call that is cancelled while it waits is reported without an attempt`() async throws {
        let shop = TestShop(sellsAnySKU: true)
        let gate = shop.hold(Contract.products)
        var options = reports.options
        options.requestLimit = 1
        let pouch = Pouch(server: try server(), transport: shop, network: options)
        let first = Task { try await pouch.catalog.products() }
        await gate.held(1)
        let waiting = Task { try await pouch.catalog.availability(of: ["rosa-1"]) }
        waiting.cancel()
        _ = await waiting.result
        #expect(reports.requests == ["GET /v1/availability"])
        #expect(reports.last?.attempts == [] && reports.last?.error == .cancelled && reports.last?.status == nil)
        gate.open()
        _ = try await first.value
        #expect(reports.all.count == 2)
    }

    @Test func `the size of a file that is sent is reported`() async throws {
        let folder = try TemporaryFolder()
        try Data("sku,price".utf8).write(to: folder.file("feed.csv"))
        var session = NetworkSession(StubTransport { _ in .text("ok", type: "text/plain") })
        session.options = reports.options
        let upload = FileUpload(file: folder.file("feed.csv"))
        let request = NetworkRequest(url: try server(), method: "POST", upload: upload)
        _ = await NetworkOperation(request, in: session).run()
        _ = try await session.stream(request).collected()
        #expect(reports.all.map(\.sentBytes) == [9, 9])
    }

    @Test func `no report has a secret of the session, the user or the URL`() async throws {
        let url = try server("http://secret-user:secret-password@127.0.0.1/base")
        let pouch = Pouch(
            server: url,
            transport: StubTransport { request throws(NetworkError) in
                if request.url.path().hasSuffix("products") { throw .connectionLost("reset") }
                return .json(Fixture.session("secret-access", refresh: "secret-refresh", expiresIn: 1e9), status: 201)
            },
            network: reports.options)
        _ = try? await pouch.account.signIn(email: "secret@example.org", password: "secret word")
        _ = try? await pouch.catalog.products(ProductQuery(search: "secret word"))
        _ = try? await pouch.cart.refresh()
        let image = ProductImage(url: "https://images.example.org/a.png?key=secret&secret", alt: "")
        _ = try? await pouch.assets.data(of: image)
        #expect(reports.all.count >= 3)
        for report in reports.all {
            #expect(!"\(report)".contains("secret") && !dumped(report).contains("secret"), "\(report)")
        }
        #expect(reports.all.contains { $0.url == "https://images.example.org/a.png?key=*&*" })
        #expect(reports.all.contains { $0.url == "http://127.0.0.1/base/v1/products?q=*" })
    }
}

/// A report, made from payloads that no request had.
struct NetworkReportTests {
    private let start = Date.sample

    private func payload(
        response: NetworkResponse? = nil, error: NetworkError? = nil, attempts: [NetworkAttempt] = []
    ) throws -> NetworkPayload {
        let url = try #require(URL(string: "http://127.0.0.1/a"))
        return NetworkPayload(
            NetworkRequest(url: url, method: "PUT", body: Data("abc".utf8)), response: response, error: error,
            attempts: attempts, createdAt: start, endedAt: start + 9)
    }

    @Test func `times are those of the queue, of the last attempt's head, and of the whole`() throws {
        let attempts = [
            NetworkAttempt(startedAt: start + 1, endedAt: start + 2, outcome: .failed(.timedOut), receivedBytes: 3),
            NetworkAttempt(
                startedAt: start + 4, headAt: start + 7, endedAt: start + 9, outcome: .answered(status: 200),
                receivedBytes: 4),
        ]
        let response = NetworkResponse(status: 200, data: Data("abcd".utf8))
        let report = NetworkReport(try payload(response: response, attempts: attempts))
        #expect((report.timeInQueue, report.timeToHead, report.duration) == (.seconds(1), .seconds(3), .seconds(9)))
        #expect((report.sentBytes, report.receivedBytes) == (3, 7))
    }

    @Test(arguments: ["", "r\u{1B}[2J", "r q", "é", String(repeating: "r", count: 129)])
    func `an ID that is too long or not visible ASCII is left out of the report`(id: String) throws {
        let response = NetworkResponse(status: 200, headers: ["Request-Id": id])
        #expect(NetworkReport(try payload(response: response)).requestId == nil)
    }

    @Test func `any combination of response and error can be written down`() throws {
        let response = NetworkResponse(status: 404, headers: ["Request-Id": "r"], data: Data("no".utf8))
        let both = try payload(response: response, error: .unaccepted(status: 404))
        #expect((both.data, both.error, both.startedAt) == (Data("no".utf8), .unaccepted(status: 404), nil))
        #expect(NetworkReport(both).requestId == "r" && NetworkReport(both).status == 404)
        let neither = try payload()
        #expect(neither.data == nil && NetworkReport(neither).status == nil && NetworkReport(neither).error == nil)
        #expect(NetworkReport(neither).timeInQueue == .seconds(9), "it waited until the end")
    }
}
