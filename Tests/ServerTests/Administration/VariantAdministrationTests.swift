import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Administration of price and stock", .inShop())
struct VariantAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    private func hold(_ units: Int, of sku: String) async throws {
        _ = try await shop.rows("UPDATE stock SET held = ? WHERE sku = ?", [.integer(units), .text(sku)])
    }

    @Test func `A new price changes the catalogue's ETag within a second and shows in carts`() async throws {
        let guest = try await shop.guest()
        try await guest.add("cap", 2).good()
        let before = try await shop.anyone.call(Contract.product, path: ["handle": "cap"])
        let changed = try await admin.change("cap", price: 1200).good()
        #expect(changed.price == Money(1200, .eur) && changed.available == 10)
        shop.clock.advance(by: 1)
        let etag = try #require(before.etag)
        let after = try await shop.anyone.call(
            Contract.product, path: ["handle": "cap"], headers: [HeaderName.ifNoneMatch: etag])
        #expect(try after.good().price == Money(1200, .eur) && after.etag != etag)
        let cart = try await guest.cart()
        #expect(cart.changes == [.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(1200, .eur))])
        #expect(cart.totals.items == Money(2400, .eur))
    }

    @Test func `Setting the same price does not change the catalogue version`() async throws {
        let version = try await shop.store.read { try $0.catalog.version() }
        try await admin.change("cap", price: 1000).good()
        #expect(try await shop.store.read { try $0.catalog.version() } == version)
    }

    @Test func `Setting available leaves held units aside, and adjust adds or removes units`() async throws {
        try await hold(2, of: "cap")
        let set = try await admin.change("cap", available: 5).good()
        #expect(set == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 5, onHand: 7, held: 2))
        #expect(try await admin.change("cap", adjust: 3).good().available == 8)
        #expect(try await admin.change("cap", adjust: -8).good().onHand == 2)
        #expect(try await admin.change("cap", available: 0).good().onHand == 2)
    }

    @Test func `Stock cannot be lowered below the held units`() async throws {
        try await hold(4, of: "cap")
        let problem = try await admin.change("cap", price: 900, adjust: -7).problem(.stockNegative)
        #expect(problem.problem.detail?.contains("6") == true)
        let variant = try await admin.change("cap", adjust: 0).good()
        // The price of the refused request is not set either.
        #expect(variant == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 6, onHand: 10, held: 4))
    }

    @Test(arguments: [
        (#"{"available": 1, "adjust": 1}"#, "adjust"), (#"{"available": -1}"#, "available"),
        (#"{"available": 1000000001}"#, "available"), (#"{"adjust": -1000000001}"#, "adjust"),
        (#"{"price": {"amount": -1, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1000000000001, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1, "currency": "USD"}}"#, "price.currency"), (#"{"price": null}"#, "price"),
        (#"{"available": 1.5}"#, "available"),
    ])
    func `An invalid patch is refused with the wrong field`(body: String, field: String) async throws {
        #expect(try await admin.send("PATCH", "/v1/admin/variants/cap", body).invalidFields() == [field])
        #expect(try await shop.available("cap") == 10)
    }

    /// Cents would read like a limit that is a hundred times as high.
    @Test func `The limits of a refused amount are amounts of the shop's currency`() async throws {
        let price = try await admin.change("cap", price: 1_000_000_000_001).problem(.validationFailed).problem
        #expect(price.errors?.map(\.detail) == ["The amount must be from 0.00 to 10000000000.00 EUR."])
        let terms = DiscountTerms(code: "NONE", kind: .amount, amount: Money(0, .eur))
        let discount = try await admin.addDiscount(terms).problem(.validationFailed).problem
        #expect(discount.errors?.map(\.detail) == ["The amount must be from 0.01 to 10000000000.00 EUR."])
    }

    @Test func `An unknown SKU is refused, and an empty patch returns the variant`() async throws {
        try await admin.change("nothing", price: 1).problem(.unknownSKU)
        try await admin.change("nothing", available: 1).problem(.unknownSKU)
        #expect(try await admin.change("cap").good().onHand == 10)
    }

    @Test func `Concurrent adjustments take exactly the units in stock`() async throws {
        let statuses = try await parallel(40) { _ in try await admin.change("cap", adjust: -1).status }
        #expect(statuses.count { $0 == 200 } == 10 && statuses.count { $0 == 409 } == 30)
        #expect(try await shop.available("cap") == 0)
    }

    @Test func `Adjustments concurrent with sales neither lose nor create units`() async throws {
        try await shop.stock([.stocked("cap", stock: 20)])
        let guests = try await parallel(20) { _ in try await shop.guest() }
        let changes = try await parallel(60) { number in
            switch number % 3 {
            case 0: try await guests[number / 3].buyNow().status == 201 ? -1 : 0
            case 1: try await admin.change("cap", adjust: -1).status == 200 ? -1 : 0
            default: try await admin.change("cap", adjust: 1).status == 200 ? 1 : 0
            }
        }
        let variant = try await admin.change("cap").good()
        #expect(variant.held == 0 && variant.onHand == 20 + changes.reduce(0, +) && variant.onHand >= 0)
    }
}

@Suite("Administration of scheduled prices", .inShop())
struct ScheduledPriceTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller
    /// In a minute.
    private let start: Date

    init() async throws {
        (admin, guest) = (try await shop.admin(), try await shop.guest())
        start = shop.clock.now.addingTimeInterval(60)
    }

    /// Schedules a price for a minute.
    @discardableResult
    private func schedule(_ sku: String) async throws -> ScheduledPrice {
        try await admin.schedule(sku, from: start, until: start.addingTimeInterval(60)).good()
    }

    @Test func `Scheduling and deleting a price each raise the catalogue version`() async throws {
        func version() async throws -> Int64 { try await shop.store.read { try $0.catalog.version() } }
        let before = try await version()
        let cap = try await schedule("cap")
        #expect(cap.id.hasPrefix("scp_") && cap.sku == "cap" && cap.price == Money(500, .eur))
        #expect(cap.startsAt == start && cap.endsAt == start.addingTimeInterval(60))
        #expect(try await version() == before + 1)
        shop.clock.advance(by: 1)
        let scarf = try await schedule("scarf-s")
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf, cap])
        #expect(try await admin.call(Contract.scheduledPrices, query: "sku=cap").good().items == [cap])
        #expect(try await admin.pages(Contract.scheduledPrices, limit: 1) == [[scarf], [cap]])

        try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).good()
        #expect(try await version() == before + 3)
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [scarf])
        try await admin.call(Contract.deleteScheduledPrice, path: ["id": cap.id]).problem(.notFound)
        #expect(try await version() == before + 3)
    }

    @Test func `Catalogue and cart have the scheduled price between its start and end`() async throws {
        try await guest.add("cap").good()
        try await schedule("cap")
        for price: Int64 in [1000, 500, 1000] {
            let product = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(product.price == Money(price, .eur))
            #expect(try await guest.cart().lines.map(\.unitPrice) == [Money(price, .eur)])
            #expect(try await admin.change("cap").good().price == Money(1000, .eur))
            shop.clock.advance(by: 60)
        }
    }

    @Test func `A cart reports a scheduled price as a change, and the checkout uses it from its start to its end`()
        async throws
    {
        try await guest.add("cap").good()
        try await guest.ship().good()
        try await schedule("cap")
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

    @Test func `A scheduled price needs an end after its start, the shop's currency and a known SKU`() async throws {
        for end in [start, start.addingTimeInterval(-1)] {
            #expect(try await admin.schedule("cap", from: start, until: end).invalidFields() == ["endsAt"])
        }
        let end = start.addingTimeInterval(1)
        let dear = try await admin.schedule("cap", price: -1, from: start, until: end)
        #expect(try dear.invalidFields() == ["price.amount"])
        let yen = Money(1, try #require(Currency(code: "JPY")))
        let foreign = ScheduledPriceRequest(sku: "cap", price: yen, startsAt: start, endsAt: end)
        #expect(try await admin.call(Contract.schedulePrice, foreign).invalidFields() == ["price.currency"])
        try await admin.schedule("nothing", from: start, until: end).problem(.unknownSKU)
        #expect(try await admin.call(Contract.scheduledPrices).good().items == [])
    }
}
