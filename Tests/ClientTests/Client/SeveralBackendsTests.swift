import ClientTesting
import Foundation
import PouchClient
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// A shop with several backends: carts and orders on a server, the catalogue in a feed, promotions from an advertiser.
@Suite(.timeLimit(.minutes(5)))
struct SeveralBackendsTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let web = SampleFeed.web()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func feed() throws -> FeedSource {
        FeedSource(feed: try url("http://127.0.0.1/feed"), transport: web, network: .once)
    }

    /// A client of the shop, with the promotions of other sources.
    private func client(promotions: @escaping @Sendable (any CatalogSource) -> [any PromotionSource]) throws -> Pouch {
        Pouch(server: try url("http://127.0.0.1"), transport: shop, promotions: promotions, network: .once)
    }

    private func advertiser(_ styles: String = "71616 72101", at path: String = "/ads") throws -> Advertiser {
        web.put(styles, at: path)
        let request = NetworkRequest(url: try url("http://127.0.0.1" + path))
        return Advertiser { [web] in
            let answer = try await web.response(to: request)
            guard answer.status == 200 else { throw NetworkError.unreachable("no ads") }
            return String(decoding: answer.data, as: UTF8.self).split(separator: " ")
                .map { .init(style: String($0), picture: "/assets/ad.svg", text: "") }
        }
    }

    @Test func `products come from a feed, which gets no token, and are bought on a server`() async throws {
        let feed = try feed()
        let pouch = Pouch(testing: shop, signedInAs: .sample(), catalog: { _ in feed })
        let scarf = try #require(try await pouch.catalog.products(ProductQuery(search: "scarf")).items.first)
        try await pouch.cart.add(sku: scarf.variants[0].sku)
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: .sample())
        let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "ada@example.org")
        #expect(order.id == "ord_1")
        #expect(shop.requests.allSatisfy { !$0.url.path().contains("products") })
        #expect(web.requests.allSatisfy { $0.url.path().hasPrefix("/feed/") && $0.headers["Authorization"] == nil })
    }

    @Test func `a feed that is unreachable does not make the server offline`() async throws {
        let feed = try feed()
        let pouch = Pouch(server: try url("http://127.0.0.1"), transport: shop, catalog: { _ in feed }, network: .once)
        web.setAway(true)
        await #expect(throws: DataError.self) { _ = try await pouch.catalog.products() }
        #expect(pouch.connection.connection == .online)
        try await pouch.cart.add(sku: "a")
    }

    @Test func `promotions come from an advertiser, with the products of the catalogue`() async throws {
        let (advertiser, feed) = (try advertiser(), try feed())
        let pouch = Pouch(testing: shop, catalog: { _ in feed }, promotions: { _ in [advertiser] })
        #expect(try await pouch.catalog.promotions().map(\.product.name) == ["Ribbed Cardigan", "Harbour Scarf"])
        #expect(web.requests(to: "/feed/slides.json") == 0)
    }

    @Test func `promotions of several sources are shown one after the other, also while one is away`() async throws {
        let (first, second) = (try advertiser("71617 72101", at: "/ads"), try advertiser("71616", at: "/more"))
        shop.change { world in
            world.products = ["71616", "71617", "72101"].map { .sample(sku: "sku-" + $0, styleCode: $0) }
            world.promotions = [.sample(of: world.products[0])]
        }
        let promotions = try await client { [$0, first, second] }.catalog.promotions()
        #expect(promotions.map(\.product.styleCode) == ["71616", "71617", "72101", "71616"])
        #expect(promotions.map(\.position) == [0, 1, 2, 3])

        web.put(nil, at: "/more")
        let fresh = try client { [$0, first, second] }
        var states = fresh.catalog.promotionStates().makeAsyncIterator()
        while let state = await states.next(isolation: #isolation) {
            guard let value = state.value else { continue }
            #expect(value.map(\.product.styleCode) == ["71616", "71617", "72101"])
            #expect(state.failure?.reason == .unreachable)
            break
        }
    }

    @Test func `without an import, the products of an advertiser are searched at the same time`() async throws {
        let advertiser = try advertiser("71616 72101", at: "/ads")
        shop.change { $0.products = ["71616", "72101"].map { .sample(sku: "sku-" + $0, styleCode: $0) } }
        let pouch = Pouch(server: try url("http://127.0.0.1"), transport: shop, promotions: { _ in [advertiser] })
        let searches = shop.hold(Contract.products)
        async let promotions = pouch.catalog.promotions()
        await searches.held(2)
        searches.open()
        #expect(try await promotions.map(\.product.styleCode) == ["71616", "72101"])
    }

    @Test func `an advertised product that is newer than the import is found at the server`() async throws {
        let advertiser = try advertiser("71616 72101")
        shop.change { $0.products = [.sample(sku: "a", styleCode: "71616")] }
        let (near, away) = (try client { _ in [advertiser] }, try client { _ in [advertiser] })
        try await near.catalog.refresh()
        try await away.catalog.refresh()
        // A search for the style also finds those that begin with it.
        let longer = (0..<250).map { Product.sample(sku: "x\($0)", styleCode: "72101\($0)") }
        shop.change { $0.products += longer + [.sample(sku: "b", styleCode: "72101")] }
        #expect(try await near.catalog.promotions().map(\.product.handle) == ["a", "b"])
        shop.connection = .down
        #expect(try await away.catalog.promotions().map(\.product.handle) == ["a"])
    }

    @Test func `a search for an advertised product ends, also where the server repeats a cursor`() async throws {
        let advertiser = try advertiser()
        let page = ProductPage(items: [.sample(sku: "a", styleCode: "x")], nextCursor: "c")
        shop.answer(Contract.products) { _ in .json(page) }
        let pouch = try client { _ in [advertiser] }
        #expect(await thrownReason { try await pouch.catalog.promotions() } == .unreadableAnswer)
    }

    @Test func `a picture of a feed comes from the feed, also for a shop with a server`() async throws {
        web.put("red", at: "/feed/a.svg")
        let folder = try url("http://127.0.0.1/feed")
        let pouch = Pouch(
            server: try url("http://shop.test"), transport: web,
            catalog: { [web] _ in FeedSource(feed: folder, transport: web) }, assets: folder, network: .once)
        let picture = ProductImage(url: "/assets/a.svg", alt: "")
        #expect(try await pouch.assets.data(of: picture).value == Data("red".utf8))
    }

    @Test func `a feed in a folder is read from the disk, and nothing outside the folder`() async throws {
        let base = try TemporaryFolder()
        let feed = base.url.appending(path: "feed 1")
        try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
        for (name, text) in [
            ("seasons.json", SampleFeed.seasons), ("products.json", SampleFeed.products),
            ("slides.json", SampleFeed.slides), ("a.svg", "red"), ("../secret.svg", "secret"),
        ] { try Data(text.utf8).write(to: feed.appending(path: name)) }
        let pouch = Pouch(feed: feed)
        #expect(try await pouch.catalog.promotions().map(\.product.name) == ["Dune Jumper", "Ribbed Cardigan"])
        #expect(try await pouch.assets.data(of: ProductImage(url: "/assets/a.svg", alt: "")).value == Data("red".utf8))
        let shop = Pouch(server: feed, network: .once)
        #expect(await thrownReason { try await shop.catalog.products() } == .invalidAddress)
        let mixed = Pouch(
            server: try url("http://shop.test"), transport: web, catalog: { _ in FeedSource(feed: feed) }, assets: feed)
        web.put("blue", at: "/b.svg")
        for (reference, text) in [("/assets/a.svg", "red"), ("http://127.0.0.1/b.svg", "blue")] {
            let picture = ProductImage(url: reference, alt: "")
            #expect(try await mixed.assets.data(of: picture).value == Data(text.utf8))
        }
        let transport = FolderTransport(feed)
        for text in ["../secret.svg", "%2E%2E/secret.svg", "..%2Fsecret.svg", "missing.svg", "a.svg%00", ""] {
            let target = try url(feed.absoluteString + "/" + text)
            #expect(try await transport.send(NetworkRequest(url: target)).status == 404, "\(text)")
        }
    }

    @Test func `promotions of an advertiser replace those of a server, before and after an import`() async throws {
        let advertiser = try advertiser()
        shop.change { $0.products = [.sample(sku: "a", styleCode: "71616"), .sample(sku: "b", styleCode: "71617")] }
        let pouch = try client { _ in [advertiser] }
        #expect(try await pouch.catalog.promotions().map(\.product.handle) == ["a"])
        #expect(shop.requests(to: Contract.promotions).isEmpty)
        try await pouch.catalog.refresh()
        #expect(try await pouch.catalog.promotions().map(\.product.handle) == ["a"])
        #expect(shop.requests(to: Contract.promotions).count == 1, "the import reads the server's own and drops them")
        #expect(try await pouch.catalog.products().items.count == 2)
    }

    @Test func `a source that offers nothing says so`() async throws {
        struct Nothing: CatalogSource {}
        let pouch = Pouch(server: try url("http://127.0.0.1"), transport: shop, catalog: { _ in Nothing() })
        #expect(await thrownReason { try await pouch.catalog.products() } == .notOffered)
        #expect(await thrownReason { try await pouch.catalog.promotions() } == .notOffered)
        #expect(shop.requests.isEmpty)
    }
}
