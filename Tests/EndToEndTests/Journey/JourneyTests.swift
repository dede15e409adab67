import Foundation
import PouchClient
import Testing

/// The main job of the shop through all layers of the SDK, against a real server with a real database.
@Suite(.timeLimit(.minutes(5)))
struct JourneyTests {
    static let address = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")

    @Test func `A guest browses, signs up, pays and sees the order`() async throws {
        try await withRunningShop { shop in
            let pouch = Pouch(server: shop.url)
            let found = try await pouch.catalog.products(ProductQuery(search: "cardgan"))
            let product = try await pouch.catalog.product(handle: #require(found.items.first).handle)
            #expect(product.name == "Ribbed Cardigan" && product.description == "Warm & soft.")
            #expect(product.price == Money(12_900, .eur))
            let sku = try #require(product.variants.first { $0.options == ["Size": "S"] }).sku

            try await pouch.cart.add(sku: sku, quantity: 2)
            let guest = try #require(pouch.account.session)
            #expect(guest.kind == .guest)
            let customer = try await pouch.account.signUp(
                name: "Ann Example", email: "ann@example.com", password: "correct horse")
            #expect(customer.kind == .customer && customer.id != guest.id)
            let taken = try await pouch.cart.refresh()
            #expect(taken.lines.map(\.sku) == [sku] && taken.lines.map(\.quantity) == [2])

            #expect(try await pouch.checkout.shippingMethods(country: "AU").map(\.id) == ["standard", "express"])
            let cart = try await pouch.cart.setShipping(methodId: "express", to: Self.address)
            #expect(cart.totals.total == Money(2 * 12_900 + 990, .eur))
            let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
            #expect(order.status == .paid && order.payment.status == .captured)
            #expect(order.totals == cart.totals && order.email == "ann@example.com")
            #expect(try await pouch.cart.refresh().lines.isEmpty)
            #expect(try await pouch.orders.orders().items.map(\.id) == [order.id])
            #expect(try await pouch.catalog.availability(of: [sku]).map(\.available) == [3])

            let cancelled = try await pouch.orders.cancel(id: order.id)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(try await pouch.catalog.availability(of: [sku]).map(\.available) == [5])
        }
    }
}

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

    @Test func `an image is the same from the server and from the files next to a feed`() async throws {
        let fromFiles = Pouch(feed: TestFeed.demoFolder).assets
        try await withRunningShop(selling: .demo) { shop in
            let pouch = Pouch(server: shop.url, transport: shop.responder)
            let image = try #require(try await pouch.catalog.promotions().first?.image)
            let bytes = try await pouch.assets.data(of: image).value
            #expect(bytes == (try await fromFiles.data(of: image).value))
            #expect(String(decoding: bytes, as: UTF8.self).contains("<svg"))
        }
    }
}
