import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire
import Testing

@Suite("The lines of a cart")
struct CartLineTests {
    @Test func `Adding adds up, setting sets, 0 and DELETE remove, and the totals follow`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            try await guest.add("scarf-s").good()
            let cart = try await guest.add("cap").good()
            #expect(cart.lines.map(\.sku) == ["cap", "scarf-s"])
            #expect(cart.lines.map(\.quantity) == [3, 1])
            #expect(cart.lines.map(\.lineTotal) == [Money(3000, .eur), Money(2500, .eur)])
            #expect(cart.lines.map(\.available) == [10, 5])
            #expect(cart.lines[1].options == ["Size": "S"] && cart.lines[1].productHandle == "scarf")
            #expect(cart.totals.items == Money(5500, .eur) && cart.totals.total == Money(5500, .eur))
            #expect(cart.changes == [])

            #expect(try await guest.set("cap", to: 1).good().lines.map(\.quantity) == [1, 1])
            #expect(try await guest.set("cap", to: 0).good().lines.map(\.sku) == ["scarf-s"])
            #expect(try await guest.call(Contract.removeCartLine, path: ["sku": "scarf-s"]).good().lines == [])
            #expect(try await guest.call(Contract.removeCartLine, path: ["sku": "scarf-s"]).good().lines == [])
            #expect(try await guest.cart().totals.total == .zero(.eur))
        }
    }

    @Test func `Filling a cart holds no stock`() async throws {
        try await TestShop.open { shop in
            let (one, other) = (try await shop.guest(), try await shop.guest())
            try await one.add("cap", 10).good()
            try await other.add("cap", 10).good()
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `Clearing takes the lines and the shipping`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            let cart = try await guest.call(Contract.clearCart).good()
            #expect(cart.lines == [] && cart.shipping == nil && cart.totals.total == .zero(.eur))
        }
    }

    @Test func `More than is in stock cannot be added nor set, and the answer tells what there is`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let short = [StockShortfall(sku: "scarf-m", available: 2)]
            #expect(try await guest.add("scarf-m", 3).problem(.outOfStock).lines == short)
            try await guest.add("scarf-m", 2).good()
            #expect(try await guest.add("scarf-m").problem(.outOfStock).lines == short)
            #expect(try await guest.set("scarf-m", to: 3).problem(.outOfStock).lines == short)
            #expect(try await guest.add("gloves").problem(.outOfStock).lines?.map(\.available) == [0])
            #expect(try await guest.cart().lines.map(\.quantity) == [2])
        }
    }

    @Test func `Fewer than before can be set also where there are still fewer in stock`() async throws {
        try await TestShop.open { shop in
            let (guest, other) = (try await shop.guest(), try await shop.guest())
            try await guest.add("scarf-s", 5).good()
            _ = try await other.order("scarf-s", 4)
            #expect(try await guest.cart().lines.map(\.available) == [1])
            #expect(try await guest.set("scarf-s", to: 3).good().lines.map(\.quantity) == [3])
            try await guest.set("scarf-s", to: 4).problem(.outOfStock)
        }
    }

    @Test func `A SKU that the shop does not know is not found`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("nobody").problem(.unknownSKU)
            try await guest.set("nobody", to: 1).problem(.unknownSKU)
            try await guest.add("CAP").problem(.unknownSKU)
            #expect(try await guest.cart().version == 0)
        }
    }

    @Test(arguments: [1, 999])
    func `A line has from 1 to 999 units`(quantity: Int) async throws {
        try await TestShop.open([.stocked("cap", stock: 5_000)]) { shop in
            let guest = try await shop.guest()
            #expect(try await guest.set("cap", to: quantity).good().lines.map(\.quantity) == [quantity])
        }
    }

    @Test func `What would come to more than 999 is refused`() async throws {
        try await TestShop.open([.stocked("cap", stock: 5_000)]) { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", 999).good()
            try await guest.add("cap").problem(.validationFailed)
            try await guest.set("cap", to: 1_000).problem(.validationFailed)
            try await guest.set("cap", to: -1).problem(.validationFailed)
            try await guest.add("cap", 0).problem(.validationFailed)
            #expect(try await guest.cart().lines.map(\.quantity) == [999])
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `A cart has up to 500 lines, and those can still change`() async throws {
        let things: [FeedProduct] = (0...ModelLimits.lines).map { .stocked("thing-\($0)") }
        try await TestShop.open(things) { shop in
            let guest = try await shop.guest()
            let minimal = [HeaderName.prefer: "return=minimal"]
            for index in 0..<ModelLimits.lines {
                #expect(try await guest.add("thing-\(index)", headers: minimal).status == 200)
            }
            try await guest.add("thing-500").problem(.cartFull)
            #expect(try await guest.add("thing-7", 2).good().lines.count == 500)
            try await guest.call(Contract.removeCartLine, path: ["sku": "thing-3"]).good()
            #expect(try await guest.add("thing-500").good().lines.last?.sku == "thing-500")
        }
    }

    @Test func `Everybody has a cart of their own`() async throws {
        try await TestShop.open { shop in
            let (one, other) = (try await shop.guest(), try await shop.customer())
            try await one.add("cap").good()
            let cart = try await other.cart()
            #expect(cart.lines == [] && cart.version == 0)
            #expect(try await one.cart().id != cart.id)
            try await other.call(Contract.clearCart).good()
            #expect(try await one.cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `Reading has no effect, not even where there is no cart yet`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            #expect(try await guest.cart() == guest.cart())
            #expect(try await shop.rows("SELECT 1 FROM carts").isEmpty)
        }
    }
}
