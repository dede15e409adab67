import ClientTesting
import Foundation
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchTesting
import PouchWire
import Synchronization
import Testing

/// The article “Watch the requests”.
@Suite(.timeLimit(.minutes(5)))
struct WatchTheRequestsTests {
    private let shop = TestShop.sample(sellsAnySKU: true)
    private let server: URL

    init() throws {
        server = try #require(URL(string: "http://127.0.0.1"))
    }

    @Test func `each request is a line with a level and metadata, through a proxy that wants a password`() async throws
    {
        let lines = Mutex<[(level: LogLevel, message: String, metadata: [String: String])]>([])
        let proxy = StubTransport { [shop] request throws(NetworkError) in
            guard request.headers["Authorization"] == "Basic YWRhOnBhc3M=", request.headers["User-Agent"] != nil else {
                return NetworkResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"shop\""])
            }
            return try await shop.send(request).collected()
        }
        let pouch = try #require(
            makeClient(server: server, user: "ada", password: "pass", transport: proxy) { level, message, metadata in
                lines.withLock { $0.append((level, message, metadata)) }
            })
        _ = try await pouch.catalog.products(ProductQuery(search: "rosa"))
        shop.answer(Contract.availability) { _ in .text("", status: 500) }
        _ = try? await pouch.catalog.availability(of: ["rosa-1"])
        let logged = lines.withLock { $0 }
        #expect(logged.map(\.level) == [.debug, .warning])
        #expect(
            logged.map(\.message) == [
                "GET http://127.0.0.1/v1/products?q=*", "GET http://127.0.0.1/v1/availability?sku=*",
            ])
        #expect(logged[0].metadata["status"] == "200" && logged[0].metadata["attempts"] == "1")
        #expect(logged[1].metadata["status"] == "500")
    }

    @Test func `a request bears the place of its task in a trace, to the server alone, and no other text`() async throws
    {
        let place = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let sent = Mutex<[String?]>([])
        let transport = StubTransport { [shop] request throws(NetworkError) in
            sent.withLock { $0.append(request.headers["traceparent"]) }
            return try await shop.send(request).collected()
        }
        let pouch = Pouch(server: server, transport: transport, network: tracedOptions { _, _, _ in })
        try await Trace.$traceparent.withValue(place) {
            _ = try await pouch.catalog.products(ProductQuery(search: "a"))
        }
        try await Trace.$traceparent.withValue("00-1-2-01\r\nX-Other: 1") {
            _ = try await pouch.catalog.products(ProductQuery(search: "b"))
        }
        _ = try await pouch.catalog.products(ProductQuery(search: "c"))
        #expect(sent.withLock { $0 } == [place, nil, nil])
        let session = NetworkSession(
            transport, options: tracedOptions { _, _, _ in }, server: try #require(URL(string: "http://other.example")))
        let request = NetworkRequest(url: server.appending(path: "v1/seasons"))
        await Trace.$traceparent.withValue(place) {
            _ = await NetworkOperation(request, in: session).run()
        }
        #expect(sent.withLock { $0 }.count == 4 && sent.withLock { $0 }.last == .some(nil))
    }

    @Test func `a name that Basic cannot encode makes no client`() {
        #expect(makeClient(server: server, user: "a:b", password: "c", log: { _, _, _ in }) == nil)
    }
}

/// The article “Write a transport”.
@Suite(.timeLimit(.minutes(5)))
struct WriteATransportTests {
    /// A library with prepared answers.
    private final class FakeLibrary: WebLibrary {
        private struct Answer: WebAnswer {
            let status = 200
            let headers = [("Content-Type", "text/plain")]
            let pieces: Pieces

            func nextPiece() async throws -> Data? { try await pieces.next() }
        }

        private actor Pieces {
            private var rest: [Result<String, WebFailure>]

            init(_ pieces: [Result<String, WebFailure>]) { rest = pieces.reversed() }

            func next() throws -> Data? { Data(try rest.popLast()?.get().utf8 ?? "".utf8).nonEmpty }
        }

        private let outcomes: Mutex<[Result<[Result<String, WebFailure>], WebFailure>]>
        private let log = Mutex<[String]>([])

        /// - Parameter outcomes: the outcomes of the calls: the pieces of a body, or an error.
        init(_ outcomes: [Result<[Result<String, WebFailure>], WebFailure>]) {
            self.outcomes = Mutex(outcomes.reversed())
        }

        var requests: [String] { log.withLock { $0 } }

        func open(
            _ url: URL, method: String, headers: [(String, String)], body: Data?
        ) async throws -> any WebAnswer {
            log.withLock { $0.append("\(method) \(url.path()) \(headers.map { "\($0.0): \($0.1)" })") }
            let outcome = outcomes.withLock { $0.popLast() } ?? .failure(.noConnection)
            return Answer(pieces: Pieces(try outcome.get()))
        }
    }

    private func url() throws -> URL { try #require(URL(string: "http://127.0.0.1/a")) }

    @Test func `request and answer pass through a library, with the addition of another transport`() async throws {
        let library = FakeLibrary([.success([.success("one "), .success("two")])])
        let transport = NamedTransport(name: "kiosk", next: LibraryTransport(library: library))
        #expect(try await fetch(url(), over: transport) == Data("one two".utf8))
        #expect(library.requests == [#"GET /a ["User-Agent: kiosk"]"#])
    }

    @Test func `a failure says whether something was sent, before the answer and within it`() async throws {
        let library = FakeLibrary([
            .failure(.wrongCertificate), .success([.success("one"), .failure(.connectionBroke)]),
        ])
        let transport = LibraryTransport(library: library)
        await #expect(throws: NetworkError.untrusted("the certificate is wrong")) {
            try await transport.response(to: NetworkRequest(url: url()))
        }
        await #expect(throws: NetworkError.connectionLost("the connection broke")) {
            try await transport.response(to: NetworkRequest(url: url()))
        }
    }

    @Test func `a header field with a line break, and an address that is not on the web, are not sent`() async throws {
        let library = FakeLibrary([])
        let transport = LibraryTransport(library: library)
        let hidden = NetworkRequest(url: try url(), headers: ["Note": "a\r\nHost: b"])
        for request in [hidden, NetworkRequest(url: URL(filePath: "/etc/hosts"))] {
            await #expect(throws: NetworkError.self) { try await transport.response(to: request) }
        }
        #expect(library.requests.isEmpty)
    }

    @Test func `a request that was never sent is repeated, also a POST`() async throws {
        let library = FakeLibrary([.failure(.noConnection), .success([.success("done")])])
        var retries = RetryPolicy()
        retries.jitter = { _ in .zero }
        let session = NetworkSession(LibraryTransport(library: library), retries: retries)
        let payload = await NetworkOperation(NetworkRequest(url: try url(), method: "POST"), in: session).run()
        #expect(payload.data == Data("done".utf8))
        #expect(payload.attempts.count == 2)
    }
}

extension Data {
    fileprivate var nonEmpty: Data? { isEmpty ? nil : self }
}

/// The article “Use several backends”.
@Suite(.timeLimit(.minutes(5)))
struct UseSeveralBackendsTests {
    private let shop = TestShop.sample(sellsAnySKU: true)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `products come from a feed, and are advertised by an advertiser`() async throws {
        let web = SampleFeed.web()
        let advertiser = Advertiser {
            [
                .init(style: "72101", picture: "https://ads.example/scarf.png", text: "Into the wind"),
                .init(style: "unknown", picture: "https://ads.example/none.png", text: ""),
            ]
        }
        let pouch = makeShop(
            server: try url("http://127.0.0.1"), feed: try url("http://127.0.0.1/feed"), transport: web,
            advertiser: advertiser)
        let promotions = try await pouch.catalog.promotions()
        #expect(promotions.map(\.product.name) == ["Dune Jumper", "Ribbed Cardigan", "Harbour Scarf"])
        #expect(promotions.last?.image.alt == "Into the wind")
    }

    @Test func `a till's articles are searched, filtered and bought`() async throws {
        let till = TillCatalog {
            [
                .init(number: "100", name: "Tea, 250 g", group: "tea", cents: 9_50, units: 3),
                .init(number: "200", name: "Teapot", group: "china", cents: 49_00, units: 0),
            ]
        }
        let pouch = Pouch(testing: shop, catalog: { _ in till })
        #expect(try await pouch.catalog.products(ProductQuery(search: "teapot")).items.map(\.handle) == ["200"])
        #expect(try await pouch.catalog.products(ProductQuery(inStock: true)).items.map(\.handle) == ["100"])
        #expect(try await pouch.catalog.categories().map(\.name) == ["China", "Tea"])
        #expect(try await pouch.cart.add(sku: "100").unitCount == 1)
    }

    @Test func `a till that cannot be read is unreachable`() async throws {
        let till = TillCatalog { throw CocoaError(.fileNoSuchFile) }
        let pouch = Pouch(testing: shop, catalog: { _ in till })
        await #expect {
            _ = try await pouch.catalog.products()
        } throws: {
            ($0 as? DataError)?.reason == .unreachable
        }
    }
}
