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
            cache: cache, network: NetworkOptions(retries: .once), reportRow: reportRow)
    }

    @Test func `a feed's catalogue is browsed like a server's, with filters and search`() async throws {
        let catalog = try client().catalog
        #expect(try await catalog.promotions().map(\.product.name) == ["Dune Jumper", "Ribbed Cardigan"])
        #expect(try await catalog.categories().map(\.name).sorted() == ["Cardigans", "Jumpers", "Scarves"])
        let all = try await catalog.products(ProductQuery(facets: true))
        #expect(all.items.count == 3 && all.facets?.isEmpty == false)
        let scarf = try #require(try await catalog.products(ProductQuery(search: "scarf")).items.first)
        #expect(scarf.name == "Harbour Scarf")
        #expect(
            try await catalog.products(ProductQuery(category: scarf.category)).items.map(\.handle) == [scarf.handle])
        #expect(try await catalog.product(handle: scarf.handle).variants.map(\.available) == [5])
    }

    @Test func `a feed offers no cart, account or administration, and is not asked for them`() async throws {
        let client = try client()
        func isNotOffered(_ call: () async throws -> Void) async {
            let error = await #expect(throws: DataError.self) { try await call() }
            #expect(error?.reason == .notOffered)
        }
        await isNotOffered { _ = try await client.cart.add(sku: "72101-one") }
        await isNotOffered { _ = try await client.cart.refresh() }
        await isNotOffered { _ = try await client.checkout.shippingMethods() }
        await isNotOffered { _ = try await client.checkout.preview(OrderDraft(lines: [])) }
        await isNotOffered { _ = try await client.orders.orders() }
        await isNotOffered { _ = try await client.account.signIn(email: "ada@example.org", password: "12345678") }
        await isNotOffered { _ = try await client.admin.orders() }
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

    @Test func `while the web server is unreachable, the catalogue comes from the store and images from the cache`()
        async throws
    {
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
            try await home.send(AddToCart(sku: "72101-one", quantity: 1))
        }
        #expect(failure?.text == "The shop does not offer this here.")
        #expect(failure?.remedy == ScreenFailure.Remedy.none)
        #expect(home.status.connectivity == .online && home.notices.isEmpty)
    }
}
