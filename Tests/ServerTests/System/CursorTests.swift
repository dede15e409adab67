import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchStorage
import PouchWire
import Testing

private let things = (1...5).map { FeedProduct.stocked("thing-\($0)") }

@Suite("Cursors", .inShop(things))
struct CursorTests {
    private let shop = TestShop.current

    private func products(_ query: String) async throws -> Answered<ProductPage> {
        try await shop.anyone.call(Contract.products, query: query)
    }

    /// The cursor after the first page of two products.
    private func cursor(_ query: String = "limit=2") async throws -> String {
        try #require(try await products(query).good().nextCursor)
    }

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
        let cursor = try await cursor()
        try await products("limit=2&cursor=\(cursor)").good()
        for index in stride(from: 0, to: cursor.count, by: 5) where Array(cursor)[index] != "." {
            var characters = Array(cursor)
            characters[index] = characters[index] == "A" ? "B" : "A"
            try await products("limit=2&cursor=\(String(characters))").problem(.invalidCursor)
        }
    }

    @Test func `A cursor is valid for its own list and query only`() async throws {
        let cursor = try await cursor("limit=2&sort=name")
        try await shop.anyone.call(Contract.seasons, query: "cursor=\(cursor)").problem(.invalidCursor)
        try await products("sort=priceAscending&cursor=\(cursor)").problem(.invalidCursor)
        try await products("sort=name&category=hats&cursor=\(cursor)").problem(.invalidCursor)
    }

    @Test func `A cursor of another shop is refused, and one of another server of the shop is valid`() async throws {
        let query = "limit=2&cursor=" + (try await cursor())
        try await TestShop.open(things) { other in
            try await other.anyone.call(Contract.products, query: query).problem(.invalidCursor)
        }
        try await shop.another { server in try await server.anyone.call(Contract.products, query: query).good() }
    }

    @Test func `A cursor that another server signed with a newer key is valid`() async throws {
        let customer = try await shop.customer()
        let first = try await customer.order("thing-1")
        // Orders of the same moment have no order.
        shop.clock.advance(by: 1)
        let second = try await customer.order("thing-2")
        let query = "limit=2&sort=name"
        try await addKey("0123456789abcdef", after: 1)
        try await shop.another { newer in
            // One list in memory; below, one that is read in a transaction.
            let page = try await newer.anyone.call(Contract.products, query: query).good()
            let next = try await products("\(query)&cursor=\(try #require(page.nextCursor))").good()
            #expect(next.items.map(\.handle) == ["thing-3", "thing-4"])
        }
        try await addKey("fedcba9876543210", after: 2)
        try await shop.another { newest in
            let there = Caller(transport: newest.transport, session: customer.session)
            let page = try await there.call(Contract.orders, query: "limit=1").good()
            #expect(page.items.map(\.id) == [second.id])
            let cursor = try #require(page.nextCursor)
            let next = try await customer.call(Contract.orders, query: "limit=1&cursor=\(cursor)").good()
            #expect(next.items.map(\.id) == [first.id])
        }
    }

    private func addKey(_ id: String, after seconds: TimeInterval) async throws {
        let created = shop.clock.now + seconds
        let key = SigningKey(id: id, secret: Data(repeating: UInt8(seconds), count: 32), createdAt: created)
        try await shop.store.write { try $0.keys.insert(key) }
    }

    @Test func `A cursor of a search expires with the version of the catalogue`() async throws {
        let query = "q=thing&limit=2&cursor=" + (try await cursor("q=thing&limit=2"))
        try await products(query).good()
        try await shop.stock([.stocked("thing-6")])
        shop.clock.advance(by: 1)
        try await products(query).problem(.cursorExpired)
    }
}
