import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Changes that a cart did not make itself")
struct CartChangeTests {
    private let change = CartChange.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(1200, .eur))

    @Test func `A new price shows at once, with its change, until the next write`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            try await shop.stock([.stocked("cap", price: 1200, stock: 10, category: "Hats")])
            for _ in 0..<2 {
                let cart = try await guest.cart()
                #expect(cart.changes == [change])
                #expect(cart.lines.map(\.unitPrice) == [Money(1200, .eur)])
                #expect(cart.totals.total == Money(2400, .eur))
            }
            #expect(try await guest.add("scarf-s").good().changes == [])
            #expect(try await guest.cart().changes == [])
        }
    }

    @Test func `A price that comes back is no change`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await shop.stock([.stocked("cap", price: 1200, category: "Hats")])
            try await shop.stock([.stocked("cap", price: 1000, category: "Hats")])
            #expect(try await guest.cart().changes == [])
        }
    }

    @Test func `A checkout with the old total is refused with the change, and goes with the new one`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            try await shop.stock([.stocked("cap", price: 1200, stock: 10, category: "Hats")])
            let key = Caller.key()
            #expect(try await guest.checkout(total: 1490, key: key).problem(.priceChanged).changes == [change])
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.cart().lines.map(\.quantity) == [1])
            let order = try await guest.checkout(total: 1690).good()
            #expect(order.totals.total == Money(1690, .eur))
        }
    }
}
