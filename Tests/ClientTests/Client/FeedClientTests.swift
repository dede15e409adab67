import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchNetwork
import PouchTesting
import Testing

/// A client of a feed, as `Pouch(feed:)` creates it.
@Suite(.timeLimit(.minutes(5)))
struct FeedClientTests {
    private let web = SampleFeed.web()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func client(
        assets: URL? = nil, settings: FeedSettings = FeedSettings(), store: (any LocalStore)? = nil,
        cache: URL? = nil, reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) throws -> Pouch {
        Pouch(
            feed: try url("http://127.0.0.1/feed"), assets: assets, settings: settings, transport: web, store: store,
            cache: cache, network: .once, reportRow: reportRow)
    }

    @Test func `a feed offers no cart, account or administration, and is not asked for them`() async throws {
        let client = try client()
        #expect(await thrownReason { try await client.cart.add(sku: "72101-one") } == .notOffered)
        #expect(await thrownReason { try await client.checkout.shippingMethods() } == .notOffered)
        #expect(await thrownReason { try await client.checkout.preview(OrderDraft(lines: [])) } == .notOffered)
        #expect(await thrownReason { try await client.orders.orders() } == .notOffered)
        let signIn = await thrownReason { try await client.account.signIn(email: "ada@b.org", password: "12345678") }
        #expect(signIn == .notOffered)
        #expect(await thrownReason { try await client.admin.orders() } == .notOffered)
        #expect(web.requests.isEmpty)
        #expect(client.cart.state == nil && client.account.session == nil)
    }

    @Test func `images are next to the files, or in a folder of their own`() async throws {
        web.put("red", at: "/feed/products/71617-25.svg")
        web.put("blue", at: "/images/products/71617-25.svg")
        for (folder, bytes) in [(nil, "red"), (try url("http://127.0.0.1/images/"), "blue")] {
            let client = try client(assets: folder)
            let jumper = try #require(try await client.catalog.products(ProductQuery(search: "jumper")).items.first)
            let image = try #require(jumper.images.first)
            #expect(try await client.assets.data(of: image).value == Data(bytes.utf8))
        }
    }

    @Test func `rows in another currency than the shop's are left out and reported`() async throws {
        let dollars = try #require(Currency(code: "USD"))
        let (reports, report) = AsyncStream.makeStream(of: RowReport.self)
        let catalog = try client(settings: FeedSettings(currency: dollars)) { report.yield($0) }.catalog
        #expect(try await catalog.products().items.map(\.price.currency) == [dollars, dollars])
        var reported = reports.makeAsyncIterator()
        #expect(await reported.next()?.row == 0)
    }

    @Test func `without the web server, the catalogue comes from the store and images from the cache`() async throws {
        let (store, folder) = (MemoryStore(), try TemporaryFolder())
        web.put("red", at: "/feed/products/71617-25.svg")
        let image = ProductImage(url: "/assets/products/71617-25.svg", alt: "")
        let first = try client(store: store, cache: folder.url)
        _ = try await first.catalog.products()
        let file = try #require(try await first.assets.file(of: image))
        web.setAway(true)
        let later = try client(store: store, cache: folder.url)
        #expect(try await later.catalog.products(ProductQuery(search: "scarf")).items.map(\.name) == ["Harbour Scarf"])
        #expect(try await later.assets.file(of: image)?.value == file.value)
        #expect(try await later.assets.data(of: image).value == Data("red".utf8))
    }

    @MainActor @Test func `the app shows the catalogue, and says that nothing is sold`() async throws {
        let (record, client) = (ScreenRecord(), try client())
        let surface = RecordingSurface(record)
        let app = AppCoordinator(on: surface, screens: RecordingScreens(record))
        app.dependency = AppDependency(client)
        app.start()
        let home = try #require(surface.screens.first as? RecordingHomeScreen)
        try await record.until { home.promotions.value?.count == 2 && home.categories.value != nil }
        let failure = await #expect(throws: ScreenFailure.self) {
            try await home.send(EditCart.add(sku: "72101-one", quantity: 1))
        }
        #expect(failure?.text == "The shop does not offer this here.")
        #expect(failure?.remedy == ScreenFailure.Remedy.none)
        #expect(home.status.connectivity == .online && home.notices.isEmpty)
    }
}

/// Bodies in another encoding than UTF-8.
@Suite(.timeLimit(.minutes(5)))
struct FeedEncodingTests {
    private static let name = "Frühjahr für Größen"
    private static let seasons = #"{"seasons":[{"id":"71","name":"\#(name)","themes":[]}]}"#

    private func names(_ type: String, _ body: Data, cache: URL? = nil) async throws -> [String] {
        let transport = StubTransport { request in
            guard request.url.path().hasSuffix("seasons.json") else { return .text(#"{"products":[]}"#) }
            let headers: HeaderFields = ["Content-Type": type, "ETag": "\"1\"", "Content-Length": "\(body.count)"]
            return NetworkResponse(status: 200, headers: headers, data: body)
        }
        let feed = try #require(URL(string: "http://127.0.0.1/feed"))
        let pouch = Pouch(feed: feed, transport: transport, cache: cache, network: .once)
        return try await pouch.catalog.seasons().map(\.name)
    }

    @Test(
        arguments: [
            ("application/json; charset=ISO-8859-1", [], .isoLatin1),
            (#"application/json;Charset="latin1""#, [], .isoLatin1),
            ("text/plain; format=flowed; charset=windows-1252", [], .windowsCP1252),
            ("application/json; charset=UTF-16LE", [], .utf16LittleEndian),
            ("application/json; charset=utf-8", [], .utf8), ("application/json; charset=x-unknown", [], .utf8),
            ("application/json", [], .utf8), ("application/json; charset=utf-8", [0xFE, 0xFF], .utf16BigEndian),
            ("application/json; charset=utf-8", [0xFF, 0xFE], .utf16LittleEndian),
            ("application/json; charset=utf-8", [0, 0, 0xFE, 0xFF], .utf32BigEndian),
            ("application/json; charset=utf-8", [0xFF, 0xFE, 0, 0], .utf32LittleEndian),
        ] as [(String, [UInt8], String.Encoding)])
    func `a feed has the encoding of its mark, else the one that its web server states`(
        type: String, mark: [UInt8], encoding: String.Encoding
    ) async throws {
        let text = try #require(Self.seasons.data(using: encoding))
        #expect(try await names(type, Data(mark) + text) == [Self.name])
    }

    @Test func `a file in another encoding is read from the cache, too`() async throws {
        let folder = try TemporaryFolder()
        let body = try #require(Self.seasons.data(using: .isoLatin1))
        for _ in 0..<2 {
            #expect(try await names("application/json; charset=ISO-8859-1", body, cache: folder.url) == [Self.name])
        }
    }

    @Test(
        arguments: [
            ("text/plain; charset=iso-8859-1", [0xFC, 0x80], "ü€"),
            ("text/plain; charset=utf-8", [0xC3, 0xBC], "ü"), ("text/plain; charset=utf-8", [0xFC], "ü"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain; charset=iso-8859-1", [0xFF, 0xFE, 0xFC, 0x00], "ü"),
            ("text/plain; charset=windows-1251", [0xC4], "Д"), ("text/plain; charset=shift_jis", [0x82, 0xA0], "あ"),
            ("text/plain; charset=klingon", [0xC3, 0xBC], "ü"), ("text/plain; charset=windows-1252", [0x81], "\u{81}"),
            ("text/plain", [], ""), (nil, [0xC3, 0xBC], "ü"), (nil, [0x67, 0xFC], "gü"),
        ] as [(String?, [UInt8], String)])
    func `text has the stated encoding, else that of its bytes`(type: String?, bytes: [UInt8], text: String) {
        var headers: HeaderFields = [:]
        headers["Content-Type"] = type
        #expect(NetworkResponse(status: 200, headers: headers, data: Data(bytes)).text == text)
    }
}
