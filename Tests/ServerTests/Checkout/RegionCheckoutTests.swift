import ServerTesting
import Testing

@testable import PouchDomain

extension ShopSettings {
    /// A shop that takes 9.5 % in California, and nothing in other states.
    fileprivate static let californian = ShopSettings(
        currency: .eur, country: "US",
        taxes: TaxSettings(
            pricesIncludeTax: false, rounding: .perLine,
            regions: [TaxRegion(territory: Territory(country: "US", region: "California"), standardRate: 950)]),
        shipping: [.flat("standard", 490)])
}

@Suite("Addresses on which the price depends", .timeLimit(.minutes(5)), .inShop(configure: { $0.shop = .californian }))
struct RegionCheckoutTests {
    private let shop = TestShop.current
    private let customer: Caller

    init() async throws { customer = try await shop.customer() }

    private func address(_ region: String?) -> Address { .inCountry("US", region: region, postalCode: "90210") }

    @Test(arguments: ["CA", "California", "Calif.", "US-CA", " ca "])
    func `Every request accepts a region by its name, and its code is stored`(region: String) async throws {
        let address = address(region)
        let saved = try await customer.addAddress(address).good()
        #expect(saved.region == "CA")
        var patch = AddressPatch.empty
        patch.region = .set("New York")
        let changed = try await customer.call(Contract.updateAddress, patch, path: ["id": #require(saved.id)]).good()
        #expect(changed.region == "NY")
        let preview = try await customer.preview([.cap], to: address, by: "standard").good()
        // 9.5 % of 10.00, and of 4.90.
        #expect(preview.totals.tax.amount == 95 + 47)
        let total = preview.totals.total.amount
        let bought = try await customer.buyNow([.cap], to: address, total: total, email: nil).good()
        #expect(bought.shipping?.address.region == "CA" && bought.totals.tax.amount == 142)
        try await customer.add("cap").good()
        let cart = try await customer.ship(to: address).good()
        #expect(cart.shipping?.address.region == "CA" && cart.totals.tax.amount == 142)
        #expect(try await customer.checkout().good().totals.tax.amount == 142)
    }

    @Test(arguments: [nil, "", "Kalifornien"])
    func `Where taxes differ by region, each way in needs an address with a known one`(region: String?) async throws {
        let address = address(region)
        #expect(try await customer.addAddress(address).invalidFields() == ["region"])
        try await customer.add("cap").good()
        #expect(try await customer.ship(to: address).invalidFields() == ["address.region"])
        #expect(try await customer.preview([.cap], to: address, by: "standard").invalidFields() == ["address.region"])
        let bought = try await customer.buyNow([.cap], to: address, total: 1_490, email: nil)
        #expect(try bought.invalidFields() == ["address.region"])
        #expect(try await shop.rows("SELECT 1 FROM orders").isEmpty)
    }

    @Test func `An address that was stored before the shop took taxes by region is asked for again`() async throws {
        try await customer.add("cap").good()
        try await customer.ship(to: address("CA")).good()
        let json = String(decoding: try address(nil).json(), as: UTF8.self)
        _ = try await shop.rows("UPDATE carts SET shipping_address = ?", [.text(json)])
        #expect(try await customer.checkout(total: 1_490).invalidFields() == ["shipping.address.region"])
    }

    @Test(.inShop()) func `Countries without postal codes or cities need none, and others do`() async throws {
        let hongKong = #"{"name":"Ada","line1":"1 Queen's Road","country":"HK"}"#
        let saved = try Address(json: try await customer.send("POST", "/v1/account/addresses", hongKong).body)
        #expect(saved.postalCode == "" && saved.city == "" && saved.country == "HK")
        try await customer.add("cap").good()
        try await customer.ship(to: saved.with(id: nil)).good()
        #expect(try await customer.checkout(email: nil).good().shipping?.address.postalCode == "")
        for (country, missing) in [("DE", ["city", "postalCode"]), ("SG", ["postalCode"]), ("IE", ["city"])] {
            let body = #"{"name":"Ada","line1":"1 Road","city":"","postalCode":"","country":"\#(country)"}"#
            let refused = try await customer.send("POST", "/v1/account/addresses", body)
            #expect(try refused.invalidFields() == missing, "\(country)")
        }
    }

    @Test(.inShop([.stocked("crown", price: ModelLimits.price.upperBound, stock: 20)]))
    func `A total beyond the maximum is refused, and no units are held`() async throws {
        let (price, guest) = (ModelLimits.price.upperBound, try await shop.guest())
        #expect(try await guest.buyNow("crown", 10, total: 10 * price + 490).invalidFields() == ["expectedTotal"])
        #expect(try await shop.available("crown") == 20)
        try await guest.buyNow("crown", 9, total: 9 * price + 490).good()
    }
}
