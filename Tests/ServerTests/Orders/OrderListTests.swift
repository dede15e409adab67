import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("The list of orders")
struct OrderListTests {
    @Test func `Orders come the latest first, in pages without gaps or repeats while others are placed`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let guest = try await shop.guest()
            var placed: [String] = []
            for _ in 0..<7 {
                shop.clock.advance(by: 1)
                placed.append(try await guest.buyNow().good().id)
            }
            let first = try await guest.call(Contract.orders, query: "limit=3").good()
            #expect(first.items.map(\.id) == placed.suffix(3).reversed())
            shop.clock.advance(by: 1)
            _ = try await guest.buyNow().good()
            let cursor = try #require(first.nextCursor)
            let second = try await guest.call(Contract.orders, query: "limit=3&cursor=\(cursor)").good()
            #expect(second.items.map(\.id) == placed.prefix(4).suffix(3).reversed())
            let last = try await guest.call(
                Contract.orders, query: "limit=3&cursor=\(try #require(second.nextCursor))"
            ).good()
            #expect(last.items.map(\.id) == [placed[0]] && last.nextCursor == nil)
        }
    }

    @Test(arguments: [1, 2, 4, 5])
    func `The last page has no cursor, full or not`(limit: Int) async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let guest = try await shop.guest()
            for _ in 0..<4 {
                shop.clock.advance(by: 1)
                _ = try await guest.buyNow().good()
            }
            let pages = try await guest.pages(Contract.orders, limit: limit)
            #expect(pages.count == (4 + limit - 1) / limit)
            #expect(Set(pages.joined().map(\.id)).count == 4)
        }
    }

    @Test func `An order is as it was bought, whatever becomes of the product`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            try await shop.stock([.stocked("cap", name: "Bonnet", price: 9_900, stock: 3)])
            #expect(try await guest.order(id: order.id) == order)
            #expect(order.lines.map(\.name) == ["Cap"])
        }
    }
}
