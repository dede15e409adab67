import ServerTesting
import Testing

@Suite("The lines of a cart", .inShop())
struct CartLineTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    @Test func `Adding raises the quantity, setting replaces it, 0 and DELETE remove it; totals follow`() async throws {
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
        for _ in 0..<2 {
            #expect(try await guest.call(Contract.removeCartLine, path: ["sku": "scarf-s"]).good().lines == [])
        }
        #expect(try await guest.cart().totals.total == .zero(.eur))
    }

    @Test func `Units in a cart hold no stock`() async throws {
        try await guest.add("cap", 10).good()
        try await shop.guest().add("cap", 10).good()
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `Clearing removes the lines and the shipping`() async throws {
        try await guest.fillCart()
        let cart = try await guest.call(Contract.clearCart).good()
        #expect(cart.lines == [] && cart.shipping == nil && cart.totals.total == .zero(.eur))
    }

    @Test func `More units than in stock are refused, with the available quantity`() async throws {
        let short = [StockShortfall(sku: "scarf-m", available: 2)]
        #expect(try await guest.add("scarf-m", 3).problem(.outOfStock).lines == short)
        try await guest.add("scarf-m", 2).good()
        #expect(try await guest.add("scarf-m").problem(.outOfStock).lines == short)
        #expect(try await guest.set("scarf-m", to: 3).problem(.outOfStock).lines == short)
        #expect(try await guest.add("gloves").problem(.outOfStock).lines?.map(\.available) == [0])
        #expect(try await guest.cart().lines.map(\.quantity) == [2])
    }

    @Test func `A quantity can be lowered even when it stays above the stock`() async throws {
        try await guest.add("scarf-s", 5).good()
        _ = try await shop.guest().order("scarf-s", 4)
        #expect(try await guest.cart().lines.map(\.available) == [1])
        #expect(try await guest.set("scarf-s", to: 3).good().lines.map(\.quantity) == [3])
        try await guest.set("scarf-s", to: 4).problem(.outOfStock)
    }

    @Test func `An unknown SKU is refused`() async throws {
        try await guest.add("unknown").problem(.unknownSKU)
        try await guest.set("unknown", to: 1).problem(.unknownSKU)
        try await guest.add("CAP").problem(.unknownSKU)
        #expect(try await guest.cart().version == 0)
    }

    @Test func `Every session has its own cart`() async throws {
        let other = try await shop.customer()
        try await guest.add("cap").good()
        let cart = try await other.cart()
        #expect(cart.lines == [] && cart.version == 0)
        #expect(try await guest.cart().id != cart.id)
        try await other.call(Contract.clearCart).good()
        #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
    }

    @Test func `Reading a cart stores nothing`() async throws {
        #expect(try await guest.cart() == guest.cart())
        #expect(try await shop.rows("SELECT 1 FROM carts").isEmpty)
    }
}

@Suite("The bounds of a cart")
struct CartBoundTests {
    @Test(.inShop([.stocked("cap", stock: 5_000)]))
    func `A line has from 1 to 999 units, and quantities below 0 and above 999 are refused`() async throws {
        let guest = try await TestShop.current.guest()
        for quantity in [1, 999] {
            #expect(try await guest.set("cap", to: quantity).good().lines.map(\.quantity) == [quantity])
        }
        try await guest.add("cap").problem(.validationFailed)
        try await guest.add("cap", 0).problem(.validationFailed)
        for quantity in [1_000, -1] { try await guest.set("cap", to: quantity).problem(.validationFailed) }
        #expect(try await guest.cart().lines.map(\.quantity) == [999])
    }

    @Test(.timeLimit(.minutes(5)), .inShop((0...ModelLimits.lines).map { .stocked("thing-\($0)") }))
    func `A cart has up to 500 lines, and a full cart can still change`() async throws {
        let guest = try await TestShop.current.guest()
        for index in 0..<ModelLimits.lines {
            #expect(try await guest.add("thing-\(index)", headers: .minimal).status == 200)
        }
        try await guest.add("thing-500").problem(.cartFull)
        #expect(try await guest.add("thing-7", 2).good().lines.count == 500)
        try await guest.call(Contract.removeCartLine, path: ["sku": "thing-3"]).good()
        #expect(try await guest.add("thing-500").good().lines.last?.sku == "thing-500")
    }
}

@Suite(
    "The version of a cart",
    .inShop([.stocked("cap", stock: 100), .sized("scarf", stock: [("S", 5)]), .stocked("gloves", stock: 0)]))
struct CartVersionTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    @Test func `The ETag is the version, and every successful write raises it`() async throws {
        #expect(try await guest.call(Contract.cart).etag == "\"0\"")
        let added = try await guest.add("cap")
        #expect(added.etag == "\"1\"")
        #expect(try added.good().version == 1)
        #expect(try await guest.set("cap", to: 2).etag == "\"2\"")
        try await guest.add("unknown").problem(.unknownSKU)
        #expect(try await guest.call(Contract.cart).etag == "\"2\"")
    }

    @Test func `A write with an outdated version is refused and changes nothing`() async throws {
        try await guest.add("cap", headers: .ifMatch("\"0\"")).good()
        for stale: [String: String] in [.ifMatch("\"0\""), .ifMatch("\"2\"")] {
            try await guest.add("cap", headers: stale).problem(.versionConflict)
            try await guest.set("cap", to: 5, headers: stale).problem(.versionConflict)
            for exchange in [Contract.clearCart, Contract.removeCartDiscount] {
                try await guest.call(exchange, headers: stale).problem(.versionConflict)
            }
            try await guest.call(Contract.removeCartLine, path: ["sku": "cap"], headers: stale)
                .problem(.versionConflict)
        }
        #expect(try await guest.cart().lines.map(\.quantity) == [1])
        try await guest.add("cap", headers: .ifMatch("*")).good()
    }

    @Test func `Of concurrent writes with one version, one succeeds`() async throws {
        try await guest.add("cap").good()
        let statuses = try await parallel(10) { _ in try await guest.add("cap", headers: .ifMatch("\"1\"")).status }
        #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 9))
        #expect(try await guest.cart().lines.map(\.quantity) == [2])
    }

    @Test(arguments: ["return=minimal", "respond-async, return=minimal"])
    func `A minimal response has the changed line and the totals`(prefer: String) async throws {
        try await guest.add("scarf-s").good()
        let answer = try await guest.add("cap", 2, headers: [HeaderName.prefer: prefer])
        let summary = try CartSummary(json: answer.body)
        #expect(answer.status == 200 && answer.etag == "\"2\"")
        #expect(summary.version == 2 && summary.line?.sku == "cap" && summary.line?.quantity == 2)
        #expect(summary.totals.total == Money(4500, .eur))
        #expect(!answer.text.contains("scarf-s"))
        #expect(try await guest.set("cap", to: 0, headers: [HeaderName.prefer: prefer]).summary().line == nil)
    }

    @Test func `A line is added once per idempotency key`() async throws {
        let first = try await guest.add("cap", headers: .key("add-1"))
        let again = try await guest.add("cap", headers: .key("add-1"))
        #expect(first.replayed == nil && again.replayed == "true")
        #expect(again.body == first.body && again.etag == first.etag && again.status == 200)
        #expect(try await guest.cart().lines.map(\.quantity) == [1])
        try await guest.add("cap", 2, headers: .key("add-1")).problem(.idempotencyKeyReused)
        #expect(try await shop.guest().add("cap", headers: .key("add-1")).replayed == nil)
        // A failed request leaves no record.
        try await guest.add("gloves", headers: .key("add-2")).problem(.outOfStock)
        try await shop.stock([.stocked("gloves", stock: 1)])
        try await guest.add("gloves", headers: .key("add-2")).good()
    }

    @Test func `The answer with the cart is not stored; a repetition gets the cart as it is by then`() async throws {
        for sku in ["cap", "scarf-s"] { try await guest.set(sku, to: 1).good() }
        try await guest.add("cap", headers: .key("add-1")).good()
        #expect(try await shop.rows("SELECT body FROM idempotency").map { try $0.data(0) } == [Data()])
        try await guest.set("cap", to: 5).good()
        let again = try await guest.add("cap", headers: .key("add-1"))
        #expect(again.replayed == "true" && again.status == 200)
        let cart = try await guest.call(Contract.cart)
        #expect(again.body == cart.body && again.etag == cart.etag)
        let both = [HeaderName.idempotencyKey: "add-1", HeaderName.prefer: "return=minimal"]
        #expect(try await guest.add("cap", headers: both).summary().line?.quantity == 5)
    }
}

@Suite("Changes in the shop that a cart reports", .inShop())
struct CartChangeTests {
    private let change = CartChange.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(1200, .eur))

    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    private func reprice(_ price: Int64) async throws {
        try await shop.stock([.stocked("cap", price: price, stock: 10, category: "Hats")])
    }

    @Test func `A changed price shows at once, and is reported until the next write`() async throws {
        try await guest.add("cap", 2).good()
        try await reprice(1200)
        for _ in 0..<2 {
            let cart = try await guest.cart()
            #expect(cart.changes == [change])
            #expect(cart.lines.map(\.unitPrice) == [Money(1200, .eur)])
            #expect(cart.totals.total == Money(2400, .eur))
        }
        #expect(try await guest.add("scarf-s").good().changes == [])
        #expect(try await guest.cart().changes == [])
    }

    @Test func `A price that returns to its old value is not reported`() async throws {
        try await guest.add("cap").good()
        for price: Int64 in [1200, 1000] { try await reprice(price) }
        #expect(try await guest.cart().changes == [])
    }

    @Test func `A checkout with the old total is refused with the change; with the new one it succeeds`() async throws {
        try await guest.fillCart()
        try await reprice(1200)
        #expect(try await guest.checkout(total: 1490).problem(.priceChanged).changes == [change])
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.cart().lines.map(\.quantity) == [1])
        #expect(try await guest.checkout(total: 1690).good().totals.total == Money(1690, .eur))
    }
}
