import Foundation
import PouchClient
import PouchData
import PouchService
import Testing

/// A LAYERS feed that a server imports, and that a client reads without a server.
@Suite(.timeLimit(.minutes(5)))
struct FeedTests {
    private func products(_ catalog: CatalogManager) async throws -> [Product] {
        var products: [Product] = []
        var query = ProductQuery(sort: .name, limit: 30)
        repeat {
            let page = try await catalog.products(query)
            products += page.items
            query.cursor = page.nextCursor
        } while query.cursor != nil
        return products.map(Self.withoutIds)
    }

    /// Returns the product without the fields that client and server generate differently.
    private static func withoutIds(_ product: Product) -> Product {
        Product(
            id: product.styleCode ?? "", handle: product.handle, styleCode: product.styleCode, name: product.name,
            description: product.description, seasonId: product.seasonId, themeId: product.themeId,
            category: product.category, tags: product.tags, price: product.price,
            compareAtPrice: product.compareAtPrice, materials: product.materials,
            careInstructions: product.careInstructions, options: product.options, images: product.images,
            promoImage: product.promoImage, updatedAt: Date(timeIntervalSince1970: 0), variants: product.variants)
    }

    @Test func `client and server read the same catalogue from the same feed`() async throws {
        let feed = Pouch(feed: TestFeed.demoFolder).catalog
        try await withRunningShop(selling: .demo) { shop in
            let server = Pouch(server: shop.url, transport: shop.responder).catalog
            let products = try await self.products(feed)
            #expect(products.count == 71)
            #expect(try await self.products(server) == products)
            #expect(try await server.seasons() == feed.seasons())
            #expect(try await server.themes() == feed.themes())
            #expect(try await server.categories() == feed.categories())
            #expect(try await server.categories(season: "71") == feed.categories(season: "71"))
            let promoted = try await (server.promotions(), feed.promotions())
            #expect(promoted.0.map { Self.withoutIds($0.product) } == promoted.1.map { Self.withoutIds($0.product) })
            #expect(promoted.0.map(\.image) == promoted.1.map(\.image))
            #expect(promoted.0.map(\.position) == promoted.1.map(\.position))
        }
    }

    @Test func `an image is the same from the server, from the files next to a feed and through the SDK`() async throws
    {
        let fromFiles = Pouch(feed: TestFeed.demoFolder).assets
        try await withRunningShop(selling: .demo) { shop in
            let service = APIWrapper(server: shop.url, transport: shop.responder, sessionStore: MemorySessionStore())
            let fromServer = AssetManager(
                data: DataManager(
                    service: service,
                    assets: AssetService(
                        root: shop.url.appending(path: "assets"), transport: shop.responder, cache: ResponseCache())))
            let pouch = Pouch(server: shop.url, transport: shop.responder)
            let image = try #require(try await pouch.catalog.promotions().first?.image)
            let bytes = try await fromServer.data(of: image).value
            #expect(bytes == (try await fromFiles.data(of: image).value))
            #expect(String(decoding: bytes, as: UTF8.self).contains("<svg"))
        }
    }

    @Test func `an imported catalogue can be browsed after the server has stopped`() async throws {
        let store = MemoryStore()
        let url = try await withRunningShop(selling: .demo) { shop in
            let service = APIWrapper(
                server: shop.url, transport: URLSessionTransport(), sessionStore: MemorySessionStore())
            let catalog = CatalogManager(data: DataManager(service: service, store: store))
            try await catalog.refresh()
            return shop.url
        }
        let service = APIWrapper(server: url, transport: URLSessionTransport(), sessionStore: MemorySessionStore())
        let catalog = CatalogManager(data: DataManager(service: service, store: store))
        let found = try await catalog.products(ProductQuery(search: "cardigan", facets: true))
        #expect(!found.items.isEmpty)
        #expect(found.failure?.reason == .unreachable)
        #expect(found.facets?.isEmpty == false)
    }
}
