import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("The version of a cart")
struct CartVersionTests {
    @Test func `The ETag is the version, and each write counts`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            #expect(try await guest.call(Contract.cart).etag == "\"0\"")
            let added = try await guest.add("cap")
            #expect(added.etag == "\"1\"")
            #expect(try added.good().version == 1)
            #expect(try await guest.set("cap", to: 2).etag == "\"2\"")
            try await guest.add("nobody").problem(.unknownSKU)
            #expect(try await guest.call(Contract.cart).etag == "\"2\"")
        }
    }

    @Test func `A write with the version of before is refused and changes nothing`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", headers: [HeaderName.ifMatch: "\"0\""]).good()
            for stale in ["\"0\"", "\"2\""] {
                try await guest.add("cap", headers: [HeaderName.ifMatch: stale]).problem(.versionConflict)
                try await guest.set("cap", to: 5, headers: [HeaderName.ifMatch: stale]).problem(.versionConflict)
                for exchange in [Contract.clearCart, Contract.removeCartDiscount] {
                    try await guest.call(exchange, headers: [HeaderName.ifMatch: stale]).problem(.versionConflict)
                }
                try await guest.call(
                    Contract.removeCartLine, path: ["sku": "cap"], headers: [HeaderName.ifMatch: stale]
                ).problem(.versionConflict)
            }
            #expect(try await guest.cart().lines.map(\.quantity) == [1])
            try await guest.add("cap", headers: [HeaderName.ifMatch: "*"]).good()
        }
    }

    @Test func `Of many writes with one version, one wins`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let statuses = try await parallel(10) { _ in
                try await guest.add("cap", headers: [HeaderName.ifMatch: "\"1\""]).status
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 9))
            #expect(try await guest.cart().lines.map(\.quantity) == [2])
        }
    }

    @Test func `Writes at once without a version all count`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let guest = try await shop.guest()
            let statuses = try await parallel(30) { _ in try await guest.add("cap").status }
            #expect(Set(statuses) == [200])
            let cart = try await guest.cart()
            #expect(cart.lines.map(\.quantity) == [30] && cart.version == 30)
        }
    }

    @Test(arguments: ["return=minimal", "respond-async, return=minimal"])
    func `A minimal answer has the changed line and the totals`(prefer: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("scarf-s").good()
            let answer = try await guest.add("cap", 2, headers: [HeaderName.prefer: prefer])
            let summary = try WireJSON.decode(CartSummary.self, from: answer.body)
            #expect(answer.status == 200 && answer.etag == "\"2\"")
            #expect(summary.version == 2 && summary.line?.sku == "cap" && summary.line?.quantity == 2)
            #expect(summary.totals.total == Money(4500, .eur))
            #expect(!answer.text.contains("scarf-s"))
            let removed = try await guest.set("cap", to: 0, headers: [HeaderName.prefer: prefer])
            #expect(try WireJSON.decode(CartSummary.self, from: removed.body).line == nil)
        }
    }

    @Test func `An idempotency key makes a line be added once`() async throws {
        try await TestShop.open { shop in
            let (guest, other) = (try await shop.guest(), try await shop.guest())
            let key = [HeaderName.idempotencyKey: "add-1"]
            let first = try await guest.add("cap", headers: key)
            let again = try await guest.add("cap", headers: key)
            #expect(first.header(HeaderName.idempotentReplayed) == nil)
            #expect(again.header(HeaderName.idempotentReplayed) == "true")
            #expect(again.body == first.body && again.etag == first.etag && again.status == 200)
            #expect(try await guest.cart().lines.map(\.quantity) == [1])
            try await guest.add("cap", 2, headers: key).problem(.idempotencyKeyReused)
            #expect(try await other.add("cap", headers: key).header(HeaderName.idempotentReplayed) == nil)
            // What failed leaves no record.
            let missing = [HeaderName.idempotencyKey: "add-2"]
            try await guest.add("gloves", headers: missing).problem(.outOfStock)
            try await shop.stock([.stocked("gloves", price: 1500, stock: 1)])
            try await guest.add("gloves", headers: missing).good()
        }
    }
}
