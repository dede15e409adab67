import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

@Suite("Cursors from outside")
struct CursorTests {
    private static let things: [FeedProduct] = (1...5).map { .stocked("thing-\($0)") }

    @Test(arguments: ["x", "", ".", "a.b", "a.b.c", "eyJhIjoxfQ.AAAAAAAAAAAAAAAAAAAAAA", "%20", "%F0%9F%A6%98"])
    func `A cursor that is not ours is refused in every list`(cursor: String) async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            for list in [
                "seasons", "themes", "categories", "promotions", "products", "account/addresses", "orders",
                "cart/shipping-methods", "rides", "ride/places", "ride/options",
            ] {
                try await customer.send("GET", "/v1/\(list)?cursor=\(cursor)").problem(.invalidCursor)
            }
        }
    }

    @Test func `A cursor with a changed character is refused`() async throws {
        try await TestShop.open(Self.things) { shop in
            let page = try await shop.anyone.call(Contract.products, query: "limit=2").good()
            let cursor = try #require(page.nextCursor)
            try await shop.anyone.call(Contract.products, query: "limit=2&cursor=\(cursor)").good()
            for index in stride(from: 0, to: cursor.count, by: 5) where Array(cursor)[index] != "." {
                var characters = Array(cursor)
                characters[index] = characters[index] == "A" ? "B" : "A"
                try await shop.anyone.call(Contract.products, query: "limit=2&cursor=\(String(characters))")
                    .problem(.invalidCursor)
            }
        }
    }

    @Test func `A cursor is good for its own list and query alone`() async throws {
        try await TestShop.open(Self.things) { shop in
            let page = try await shop.anyone.call(Contract.products, query: "limit=2&sort=name").good()
            let cursor = try #require(page.nextCursor)
            try await shop.anyone.call(Contract.seasons, query: "cursor=\(cursor)").problem(.invalidCursor)
            try await shop.anyone.call(Contract.products, query: "sort=priceAscending&cursor=\(cursor)")
                .problem(.invalidCursor)
            try await shop.anyone.call(Contract.products, query: "sort=name&category=hats&cursor=\(cursor)")
                .problem(.invalidCursor)
        }
    }

    @Test func `A cursor of another shop is refused, and one of another server of this shop is good`() async throws {
        let foreign = Box<String>()
        try await TestShop.open(Self.things) { other in
            await foreign.set(try await other.anyone.call(Contract.products, query: "limit=2").good().nextCursor)
        }
        try await TestShop.open(Self.things) { shop in
            let cursor = try #require(await foreign.value)
            try await shop.anyone.call(Contract.products, query: "limit=2&cursor=\(cursor)").problem(.invalidCursor)
            let own = try #require(try await shop.anyone.call(Contract.products, query: "limit=2").good().nextCursor)
            try await shop.another { server in
                try await server.anyone.call(Contract.products, query: "limit=2&cursor=\(own)").good()
            }
        }
    }

    @Test func `A cursor of a search expires with the version of the catalogue`() async throws {
        try await TestShop.open(Self.things) { shop in
            let page = try await shop.anyone.call(Contract.products, query: "q=thing&limit=2").good()
            let cursor = try #require(page.nextCursor)
            try await shop.anyone.call(Contract.products, query: "q=thing&limit=2&cursor=\(cursor)").good()
            try await shop.stock([.stocked("thing-6")])
            shop.clock.advance(by: 1)
            try await shop.anyone.call(Contract.products, query: "q=thing&limit=2&cursor=\(cursor)")
                .problem(.cursorExpired)
        }
    }
}
