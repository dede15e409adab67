import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Keeping prices that hold for a time")
struct ScheduledPriceTests {
    @Test func `A price is scheduled, listed by SKU, and removed; each time the catalogue has a new version`()
        async throws
    {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            func version() async throws -> Int64 { try await shop.store.read { try $0.catalog.version() } }
            let before = try await version()
            let start = shop.clock.now.addingTimeInterval(60)
            let cap = try await admin.schedule("cap", from: start, until: start.addingTimeInterval(60)).good()
            #expect(cap.id.hasPrefix("scp_") && cap.sku == "cap" && cap.price == Money(500, .eur))
            #expect(cap.startsAt == start && cap.endsAt == start.addingTimeInterval(60))
            #expect(try await version() == before + 1)
            shop.clock.advance(by: 1)
            let scarf = try await admin.schedule("scarf-s", from: start, until: start.addingTimeInterval(60)).good()
            #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf, cap])
            #expect(try await admin.call(Contract.scheduledPrices, query: "sku=cap").good().items == [cap])
            #expect(try await admin.pages(Contract.scheduledPrices, limit: 1) == [[scarf], [cap]])

            try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).good()
            #expect(try await version() == before + 3)
            #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf])
            try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).problem(.notFound)
            #expect(try await version() == before + 3)
        }
    }

    @Test func `While it holds, catalogue and cart have it, and afterwards the SKU's own again`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap").good()
            let start = shop.clock.now.addingTimeInterval(60)
            try await admin.schedule("cap", from: start, until: start.addingTimeInterval(60)).good()
            for price: Int64 in [1000, 500, 1000] {
                let product = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
                #expect(product.price == Money(price, .eur))
                #expect(try await guest.cart().lines.map(\.unitPrice) == [Money(price, .eur)])
                #expect(try await admin.change("cap").good().price == Money(1000, .eur))
                shop.clock.advance(by: 60)
            }
        }
    }

    @Test func `A cart tells of it as a change, and a checkout goes by it from its first moment to its last`()
        async throws
    {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap").good()
            try await guest.ship().good()
            let start = shop.clock.now.addingTimeInterval(60)
            try await admin.schedule("cap", from: start, until: start.addingTimeInterval(60)).good()
            shop.clock.advance(by: 59.999)
            #expect(try await guest.cart().changes == [])
            try await guest.checkout(total: 990).problem(.priceChanged)

            shop.clock.advance(by: 0.001)
            let lower = CartChange.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(500, .eur))
            #expect(try await guest.cart().changes == [lower])
            #expect(try await guest.checkout(total: 1490).problem(.priceChanged).changes == [lower])
            let order = try await guest.checkout(total: 990).good()
            #expect(order.lines.map(\.unitPrice) == [Money(500, .eur)])

            try await guest.add("cap").good()
            shop.clock.advance(by: 60)
            let higher = CartChange.priceChanged(sku: "cap", from: Money(500, .eur), to: Money(1000, .eur))
            #expect(try await guest.cart().changes == [higher])
            try await guest.buyNow(total: 990).problem(.priceChanged)
            try await guest.buyNow(total: 1490).good()
        }
    }

    @Test func `It must end after it began, be in the shop's currency, and be for a SKU that is there`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let now = shop.clock.now
            for end in [now, now.addingTimeInterval(-1)] {
                let problem = try await admin.schedule("cap", from: now, until: end).problem(.validationFailed)
                #expect(problem.problem.errors?.map(\.field) == ["endsAt"])
            }
            let later = now.addingTimeInterval(1)
            let dear = try await admin.schedule("cap", price: -1, from: now, until: later).problem(.validationFailed)
            #expect(dear.problem.errors?.map(\.field) == ["price.amount"])
            let body = #"""
                {"sku":"cap","price":{"amount":1,"currency":"JPY"},"startsAt":"2027-01-01T00:00:00Z","endsAt":"2027-01-02T00:00:00Z"}
                """#
            let foreign = try await admin.send("POST", "/v1/admin/scheduled-prices", body).problem(.validationFailed)
            #expect(foreign.problem.errors?.map(\.field) == ["price.currency"])
            try await admin.schedule("nothing", from: now, until: later).problem(.unknownSKU)
            #expect(try await admin.call(Contract.scheduledPrices).good().items == [])
        }
    }
}
