import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Price and stock of a variant")
struct VariantAdministrationTests {
    private func hold(_ units: Int, of sku: String, in shop: TestShop) async throws {
        try await shop.database { connection in
            _ = try connection.run("UPDATE stock SET held = ? WHERE sku = ?", [.integer(units), .text(sku)])
        }
    }

    @Test func `A new price changes the catalogue's ETag within a second, and shows in carts`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
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
            #expect(
                cart.changes == [.priceChanged(sku: "cap", from: Money(1000, .eur), to: Money(1200, .eur))])
            #expect(cart.totals.items == Money(2400, .eur))
        }
    }

    @Test func `The price that it has already changes nothing`() async throws {
        try await TestShop.open { shop in
            let version = try await shop.store.read { try $0.catalog.version() }
            try await shop.admin().change("cap", price: 1000).good()
            #expect(try await shop.store.read { try $0.catalog.version() } == version)
        }
    }

    @Test func `available sets what can be bought, beside what orders hold; adjust adds and takes`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await hold(2, of: "cap", in: shop)
            let set = try await admin.change("cap", available: 5).good()
            #expect(set == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 5, onHand: 7, held: 2))
            #expect(try await admin.change("cap", adjust: 3).good().available == 8)
            #expect(try await admin.change("cap", adjust: -8).good().onHand == 2)
            #expect(try await admin.change("cap", available: 0).good().onHand == 2)
        }
    }

    @Test func `Stock never falls below what orders hold`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await hold(4, of: "cap", in: shop)
            let problem = try await admin.change("cap", price: 900, adjust: -7).problem(.stockNegative)
            #expect(problem.problem.detail?.contains("6") == true)
            let variant = try await admin.change("cap", adjust: 0).good()
            // The price of the refused request was not set either.
            #expect(variant == ManagedVariant(sku: "cap", price: Money(1000, .eur), available: 6, onHand: 10, held: 4))
        }
    }

    @Test(arguments: [
        (#"{"available": 1, "adjust": 1}"#, "adjust"), (#"{"available": -1}"#, "available"),
        (#"{"available": 1000000001}"#, "available"), (#"{"adjust": -1000000001}"#, "adjust"),
        (#"{"price": {"amount": -1, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1000000000001, "currency": "EUR"}}"#, "price.amount"),
        (#"{"price": {"amount": 1, "currency": "USD"}}"#, "price.currency"), (#"{"price": null}"#, "price"),
        (#"{"available": 1.5}"#, "available"),
    ])
    func `What makes no sense is refused by name`(body: String, field: String) async throws {
        try await TestShop.open { shop in
            let answer = try await shop.admin().send("PATCH", "/v1/admin/variants/cap", body)
            #expect(try answer.problem(.validationFailed).problem.errors?.map(\.field) == [field])
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A SKU that is not there is 404, and an empty patch tells how it stands`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await admin.change("nothing", price: 1).problem(.unknownSKU)
            try await admin.change("nothing", available: 1).problem(.unknownSKU)
            #expect(try await admin.change("cap").good().onHand == 10)
        }
    }

    @Test func `Of many who take the last units at once exactly so many succeed`() async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            let statuses = try await parallel(40) { _ in try await admin.change("cap", adjust: -1).status }
            #expect(statuses.count { $0 == 200 } == 10 && statuses.count { $0 == 409 } == 30)
            #expect(try await shop.available("cap") == 0)
        }
    }

    @Test func `Adjusting beside sales loses no unit and invents none`() async throws {
        try await TestShop.open([.stocked("cap", stock: 20)]) { shop in
            let admin = try await shop.admin()
            let guests = try await parallel(20) { _ in try await shop.guest() }
            let changes = try await parallel(60) { number in
                switch number % 3 {
                case 0: try await guests[number / 3].buyNow().status == 201 ? -1 : 0
                case 1: try await admin.change("cap", adjust: -1).status == 200 ? -1 : 0
                default: try await admin.change("cap", adjust: 1).status == 200 ? 1 : 0
                }
            }
            let variant = try await admin.change("cap").good()
            #expect(variant.held == 0 && variant.onHand == 20 + changes.reduce(0, +))
            #expect(variant.onHand >= 0)
        }
    }
}
