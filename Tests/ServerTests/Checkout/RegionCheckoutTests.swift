import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

/// A shop that takes 9.5 % in California, and nothing in other states.
@Suite("Addresses on which the price depends", .timeLimit(.minutes(5)))
struct RegionCheckoutTests {
    private static let settings = ShopSettings(
        currency: .eur, country: "US",
        taxes: TaxSettings(
            pricesIncludeTax: false, rounding: .perLine,
            regions: [TaxRegion(territory: Territory(country: "US", region: "California"), standardRate: 950)]),
        shipping: [.flat("standard", 490)])

    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open(configure: { $0.shop = Self.settings }, body)
    }

    private static func address(_ region: String?) -> Address { .inCountry("US", region: region, postalCode: "90210") }

    @Test(arguments: ["CA", "California", "Calif.", "US-CA", " ca "])
    func `A region is understood on each way in, and stored as its code`(region: String) async throws {
        try await open { shop in
            let customer = try await shop.customer()
            let address = Self.address(region)
            let saved = try await customer.call(Contract.addAddress, AddressInput(address)).good()
            #expect(saved.region == "CA")
            let id = try #require(saved.id)
            let changed = try await customer.call(
                Contract.updateAddress, AddressPatch(region: .set("New York")), path: ["id": id]
            ).good()
            #expect(changed.region == "NY")
            let preview = try await customer.call(
                Contract.previewOrder,
                PreviewRequest(
                    lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(address), methodId: "standard")
            ).good()
            // 9.5 % of 10.00, and of 4.90.
            #expect(preview.totals.tax.amount == 95 + 47)
            let bought = try await customer.call(
                Contract.buyNow,
                BuyNowRequest(
                    lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(address),
                    methodId: "standard", paymentMethod: .card(token: "tok_ok"), expectedTotal: preview.totals.total),
                headers: [HeaderName.idempotencyKey: Caller.key()]
            ).good()
            #expect(bought.shipping?.address.region == "CA" && bought.totals.tax.amount == 142)
            try await customer.add("cap").good()
            let cart = try await customer.ship(to: address).good()
            #expect(cart.shipping?.address.region == "CA" && cart.totals.tax.amount == 142)
            #expect(try await customer.checkout().good().totals.tax.amount == 142)
        }
    }

    @Test(arguments: [nil, "", "Kalifornien"])
    func `Where taxes differ by region, an address without a known one is refused on each way in`(
        region: String?
    ) async throws {
        try await open { shop in
            let customer = try await shop.customer()
            let address = AddressInput(Self.address(region))
            func fields<Value>(_ answer: Answered<Value>) throws -> [String]? {
                try answer.problem(.validationFailed).problem.errors?.map(\.field)
            }
            #expect(try fields(await customer.call(Contract.addAddress, address)) == ["region"])
            try await customer.add("cap").good()
            #expect(try fields(await customer.ship(to: Self.address(region))) == ["address.region"])
            let lines = [LineRequest(sku: "cap", quantity: 1)]
            let preview = PreviewRequest(lines: lines, address: address, methodId: "standard")
            #expect(try fields(await customer.call(Contract.previewOrder, preview)) == ["address.region"])
            let order = BuyNowRequest(
                lines: lines, address: address, methodId: "standard", paymentMethod: .card(token: "tok_ok"),
                expectedTotal: Money(1_490, .eur))
            let bought = try await customer.call(
                Contract.buyNow, order, headers: [HeaderName.idempotencyKey: Caller.key()])
            #expect(try fields(bought) == ["address.region"])
            #expect(try await shop.rows("SELECT 1 FROM orders").isEmpty)
        }
    }

    @Test func `An address that was stored before the shop took taxes by region is asked for again`() async throws {
        try await open { shop in
            let customer = try await shop.customer()
            try await customer.add("cap").good()
            try await customer.ship(to: Self.address("CA")).good()
            let json = String(decoding: try Self.address(nil).json(), as: UTF8.self)
            _ = try await shop.rows("UPDATE carts SET shipping_address = ?", [.text(json)])
            let refused = try await customer.checkout(total: 1_490).problem(.validationFailed).problem
            #expect(refused.errors?.map(\.field) == ["shipping.address.region"])
        }
    }

    @Test func `Countries without postal codes or cities need none, and others do`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let hongKong = #"{"name":"Ada","line1":"1 Queen's Road","country":"HK"}"#
            let saved = try Address(json: try await customer.send("POST", "/v1/account/addresses", hongKong).body)
            #expect(saved.postalCode == "" && saved.city == "" && saved.country == "HK")
            try await customer.add("cap").good()
            try await customer.ship(to: saved.with(id: nil)).good()
            let order = try await customer.checkout(email: nil).good()
            #expect(order.shipping?.address.postalCode == "")
            for (country, missing) in [("DE", ["city", "postalCode"]), ("SG", ["postalCode"]), ("IE", ["city"])] {
                let body = #"{"name":"Ada","line1":"1 Road","city":"","postalCode":"","country":"\#(country)"}"#
                let refused = try await customer.send("POST", "/v1/account/addresses", body).problem(.validationFailed)
                    .problem
                #expect(refused.errors?.map(\.field) == missing, "\(country)")
            }
        }
    }

    @Test func `A total beyond the greatest is refused, and nothing is held`() async throws {
        let price = ModelLimits.price.upperBound
        try await TestShop.open([.stocked("crown", price: price, stock: 20)]) { shop in
            let guest = try await shop.guest()
            let refused = try await guest.buyNow("crown", 10, total: 10 * price + 490).problem(.validationFailed)
                .problem
            #expect(refused.errors?.map(\.field) == ["expectedTotal"])
            #expect(try await shop.available("crown") == 20)
            try await guest.buyNow("crown", 9, total: 9 * price + 490).good()
        }
    }
}
