import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

@Suite("Cursors")
struct CursorTests {
    private static let things: [FeedProduct] = (1...5).map { .stocked("thing-\($0)") }

    @Test(arguments: ["x", "", ".", "a.b", "a.b.c", "eyJhIjoxfQ.AAAAAAAAAAAAAAAAAAAAAA", "%20", "%F0%9F%A6%98"])
    func `Every list refuses a forged cursor`(cursor: String) async throws {
        let customer = try await shop.customer()
        for list in [
            "seasons", "themes", "categories", "promotions", "products", "account/addresses", "orders",
            "cart/shipping-methods", "rides", "ride/places", "ride/options",
        ] {
            try await customer.send("GET", "/v1/\(list)?cursor=\(cursor)").problem(.invalidCursor)
        }
    }

    @Test func `A cursor with a changed character is refused`() async throws {
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

    @Test func `A cursor is valid for its own list and query only`() async throws {
        let page = try await shop.anyone.call(Contract.products, query: "limit=2&sort=name").good()
        let cursor = try #require(page.nextCursor)
        try await shop.anyone.call(Contract.seasons, query: "cursor=\(cursor)").problem(.invalidCursor)
        try await shop.anyone.call(Contract.products, query: "sort=priceAscending&cursor=\(cursor)")
            .problem(.invalidCursor)
        try await shop.anyone.call(Contract.products, query: "sort=name&category=hats&cursor=\(cursor)")
            .problem(.invalidCursor)
    }

    @Test func `A cursor of another shop is refused, and one of another server of the same shop is valid`() async throws
    {
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

    @Test func `A cursor that another server signed with a newer key is valid`() async throws {
        let customer = try await shop.customer()
        let first = try await customer.order("thing-1")
        // Orders of the same moment have no order.
        shop.clock.advance(by: 1)
        let second = try await customer.order("thing-2")
        try await shop.store.write { [now = shop.clock.now] repositories in
            try repositories.keys.insert(
                SigningKey(id: "0123456789abcdef", secret: Data(repeating: 7, count: 32), createdAt: now + 1))
        }
        try await shop.another { newer in
            // One list in memory; below, one that is read in a transaction.
            let products = try await newer.anyone.call(Contract.products, query: "limit=2&sort=name").good()
                .nextCursor
            let next = try await shop.anyone.call(
                Contract.products, query: "limit=2&sort=name&cursor=\(try #require(products))")
            #expect(try next.good().items.map(\.handle) == ["thing-3", "thing-4"])
        }
        try await shop.store.write { [now = shop.clock.now] repositories in
            try repositories.keys.insert(
                SigningKey(id: "fedcba9876543210", secret: Data(repeating: 8, count: 32), createdAt: now + 2))
        }
        try await shop.another { newest in
            let there = Caller(transport: newest.transport, session: customer.session)
            let page = try await there.call(Contract.orders, query: "limit=1").good()
            #expect(page.items.map(\.id) == [second.id])
            let cursor = try #require(page.nextCursor)
            let next = try await customer.call(Contract.orders, query: "limit=1&cursor=\(cursor)").good()
            #expect(next.items.map(\.id) == [first.id])
        }
    }

    @Test func `A cursor of a search expires with the version of the catalogue`() async throws {
        let page = try await shop.anyone.call(Contract.products, query: "q=thing&limit=2").good()
        let cursor = try #require(page.nextCursor)
        try await shop.anyone.call(Contract.products, query: "q=thing&limit=2&cursor=\(cursor)").good()
        try await shop.stock([.stocked("thing-6")])
        shop.clock.advance(by: 1)
        try await shop.anyone.call(Contract.products, query: "q=thing&limit=2&cursor=\(cursor)")
            .problem(.cursorExpired)
    }
}
