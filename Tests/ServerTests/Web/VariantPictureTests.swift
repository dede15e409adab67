import Foundation
import PouchContract
import PouchEntities
import PouchFeed
import PouchImport
import Testing

@testable import PouchDomain

@Suite("Pictures of the chosen variant in the shop")
struct VariantPictureTests {
    private func open(_ body: @escaping @Sendable (TestShop, WebVisitor) async throws -> Void) async throws {
        try await TestShop.open([]) { shop in
            try await shop.feed(CatalogPageTests.feed)
            shop.clock.advance(by: 1)
            try await body(shop, WebVisitor(shop))
        }
    }

    @Test func `A list shows the picture of the value that was chosen`() async throws {
        try await open { shop, visitor in
            func pictures(_ address: String) async throws -> [String] {
                try await visitor.get(address).attributes(of: "img").compactMap { $0["src"] }
            }
            #expect(try await pictures("/products?option.Colour=forest") == ["https://pictures.example/b.jpg"])
            #expect(try await pictures("/products?option.Colour=Navy") == ["/assets/a.svg"])
            #expect(try await pictures("/products?tag=wool") == ["/assets/a.svg"])
            #expect(try await visitor.get("/products?tag=wool").words.contains("Colour: 2 choices"))
            let variants = ["Red", "Blue"].map { colour in
                FeedVariant.stocked("900-\(colour.prefix(1))", options: ["Colour": colour])
            }
            try await shop.stock([
                FeedProduct(
                    line: 1, handle: "sock", name: "Sock", categoryName: "Socks", tags: ["plain"],
                    options: [ProductOption(name: "Colour", values: ["Red", "Blue"])],
                    images: ["900", "900-R", "900-B"].map { ProductImage(url: "/assets/\($0).svg", alt: "Sock") },
                    variants: variants)
            ])
            shop.clock.advance(by: 1)
            #expect(try await pictures("/category/socks?option.Colour=Blue") == ["/assets/900-B.svg"])
            #expect(try await pictures("/category/socks") == ["/assets/900.svg"])
        }
    }

    @Test func `The cart, the checkout and the order show the picture of the chosen variant`() async throws {
        try await open { _, visitor in
            let forest = "https://pictures.example/b.jpg"
            func picture(_ page: WebPage) -> String? { page.attributes(of: "img").first?["src"] }
            #expect(picture(try await visitor.add("jumper", sku: "j-fm")) == forest)
            let checkout = try await visitor.open("/checkout")
            #expect(picture(checkout) == forest)
            let order = try await visitor.pay(checkout)
            _ = try order.orderId()
            #expect(picture(order) == forest)
            #expect(picture(try await visitor.add("jumper", sku: "j-nm")) == "/assets/a.svg")
        }
    }
}
