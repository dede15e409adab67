import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire
import Testing

@Suite("Checkouts that are refused")
struct CheckoutRefusalTests {
    @Test func `What is not offered any more is neither shown in the cart nor bought`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.add("scarf-s").good()
            try await guest.ship().good()
            let start = shop.clock.now.addingTimeInterval(100)
            try await shop.feed([
                .season(Season(id: "77", name: "Coming", startsAt: start)), .product(.stocked("cap", season: "77")),
            ])
            let cart = try await guest.cart()
            #expect(cart.lines.map(\.sku) == ["scarf-s"])
            let order = try await guest.checkout().good()
            #expect(order.lines.map(\.sku) == ["scarf-s"] && order.totals == cart.totals)
        }
    }

    @Test func `Nothing in the cart, no shipping, no e-mail address, each is told`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.checkout(total: 0).problem(.cartEmpty)
            try await guest.add("cap").good()
            try await guest.checkout(total: 1000).problem(.shippingRequired)
            try await guest.ship().good()
            try await guest.checkout(email: nil).problem(.emailRequired)
            let problem = try await guest.checkout(email: "nonsense").problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == ["email"])
            try await guest.checkout(key: nil).problem(.idempotencyKeyRequired)
            #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
            #expect(try await shop.available("cap") == 10)
            try await guest.checkout().good()
        }
    }

    @Test func `A customer's own address is taken, unless another is given`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            #expect(try await customer.buyNow(email: nil).good().email == "ada@example.com")
            #expect(try await customer.buyNow(email: "Bob@Example.com").good().email == "bob@example.com")
        }
    }

    @Test(arguments: [0, -1490, 1489, 1491, Int64.max, Int64.min])
    func `Another total than that of now charges nothing`(total: Int64) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            try await guest.checkout(total: total).problem(.priceChanged)
            try await guest.buyNow(total: total).problem(.priceChanged)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A total in another currency is another total`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            let body =
                #"{"paymentMethod":{"type":"card","token":"tok_ok"},"expectedTotal":{"amount":1490,"currency":"CURRENCY"},"email":"a@b.de"}"#
            for (currency, code) in [
                ("USD", ProblemCode.priceChanged), ("XXX", .validationFailed), ("eur", .validationFailed),
            ] {
                try await guest.send(
                    "POST", "/v1/cart/checkout", body.replacing("CURRENCY", with: currency),
                    headers: [HeaderName.idempotencyKey: currency]
                ).problem(code)
            }
        }
    }

    @Test func `What was sold meanwhile is told line by line, and nothing is held`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            for (sku, units) in [("cap", 1), ("scarf-s", 5), ("scarf-m", 2)] { try await guest.add(sku, units).good() }
            try await guest.ship().good()
            _ = try await shop.guest().order("scarf-m", 1)
            _ = try await shop.guest().order("scarf-s", 3)
            let short = try await guest.checkout().problem(.outOfStock).lines
            #expect(Set(short ?? []) == [.init(sku: "scarf-s", available: 2), .init(sku: "scarf-m", available: 1)])
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.cart().lines.count == 3)
        }
    }

    @Test func `A cart of another version is not paid for`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let version = try await guest.ship().good().version
            try await guest.checkout(headers: [HeaderName.ifMatch: "\"\(version - 1)\""]).problem(.versionConflict)
            try await guest.checkout(headers: [HeaderName.ifMatch: "\"\(version)\""]).good()
        }
    }
}
