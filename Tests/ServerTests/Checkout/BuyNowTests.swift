import ServerTesting
import Testing

@Suite("Buying without the cart", .inShop())
struct BuyNowTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    @Test func `Buying now places an order and leaves the cart unchanged`() async throws {
        try await guest.add("scarf-s").good()
        let order = try await guest.buyNow("cap", 2, total: 2490).good()
        #expect(order.status == .paid && order.lines.map(\.quantity) == [2])
        #expect(try await guest.cart().lines.map(\.sku) == ["scarf-s"])
        #expect(try await shop.available("cap") == 8)
    }

    @Test(arguments: [("tok_declined", ProblemCode.paymentDeclined), ("tok_error", .paymentProviderError)])
    func `A failed payment releases the stock and changes no cart`(card: String, code: ProblemCode) async throws {
        try await guest.buyNow(card: card).problem(code)
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.cart().version == 0)
    }

    @Test func `Every invalid purchase is refused with its code and holds no stock`() async throws {
        let bad = Address(name: "A", line1: "1", city: "B", postalCode: "1", country: "x")
        let many = (0...500).map { LineRequest(sku: "s\($0)", quantity: 1) }
        let halves = Array(repeating: LineRequest(sku: "cap", quantity: 500), count: 2)
        try await guest.buyNow("unknown").problem(.unknownSKU)
        try await guest.buyNow("gloves", total: 1990).problem(.outOfStock)
        try await guest.buyNow(email: nil).problem(.emailRequired)
        try await guest.buyNow(key: nil).problem(.idempotencyKeyRequired)
        try await guest.buyNow("cap", 0).problem(.validationFailed)
        try await guest.buyNow("cap", 1_000).problem(.validationFailed)
        try await guest.buyNow([], total: 1490).problem(.validationFailed)
        try await guest.buyNow(many, total: 1490).problem(.validationFailed)
        try await guest.buyNow(halves, total: 1490).problem(.validationFailed)
        try await guest.buyNow([.cap], to: nil, total: 1490).problem(.shippingRequired)
        try await guest.buyNow([.cap], to: bad, total: 1490).problem(.validationFailed)
        try await guest.buyNow([.cap], by: nil, total: 1490).problem(.shippingRequired)
        try await guest.buyNow([.cap], by: "teleport", total: 1490).problem(.unknownShippingMethod)
        try await guest.buyNow([.cap], discount: "SALE", total: 1490).problem(.discountInvalid)
        #expect(try await shop.available("cap") == 10)
    }

    @Test func `A preview has a line for each SKU, totals and shipping methods, and has no effect`() async throws {
        let lines = [LineRequest(sku: "cap", quantity: 2), LineRequest(sku: "scarf-m", quantity: 5)]
        let plain = try await guest.preview(lines).good()
        #expect(plain.totals.total == Money(14_500, .eur) && plain.totals.shipping == .zero(.eur))
        #expect(plain.lines.map(\.available) == [10, 2])
        #expect(plain.methods.map(\.id) == ["standard", "express"])
        let shipped = try await guest.preview(lines, to: .sample, by: "express").good()
        #expect(shipped.totals.total == Money(15_490, .eur))
        // Without an address, the shop's country counts.
        #expect(try await guest.preview(lines, by: "express").good().totals == shipped.totals)
        let twice = try await guest.preview([.cap, LineRequest(sku: "cap", quantity: 2)]).good()
        #expect(twice.lines.map(\.quantity) == [3])
        try await guest.preview([]).problem(.validationFailed)
        try await guest.preview([LineRequest(sku: "unknown", quantity: 1)]).problem(.unknownSKU)
        try await guest.preview(lines, by: "teleport").problem(.unknownShippingMethod)
        try await guest.preview(lines, discount: "SALE").problem(.discountInvalid)
        #expect(try await guest.cart().version == 0)
        #expect(try await shop.available("cap") == 10)
    }
}

/// A shop in Germany that adds taxes, with a lower rate for hats, and ships to Germany and Austria. A guest has two
/// caps and a scarf in the cart.
@Suite("Taxes and shipping by region", .inShop(configure: { $0.shop = .taxed }))
struct RegionTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws {
        guest = try await shop.guest()
        try await guest.add("cap", 2).good()
        try await guest.add("scarf-s").good()
    }

    @Test(
        arguments: [
            // 2000 at 7 % and 2500 at 19 %, and untaxed shipping.
            ("DE", "10115", 490, 140 + 475),
            // Shipping to the island costs more.
            ("DE", "27498", 1490, 140 + 475),
            // Everything at 20 %, including shipping.
            ("AT", "1010", 990, 400 + 500 + 198),
        ] as [(String, String, Int64, Int64)])
    func `Cart, preview and order have the taxes and shipping price of the address`(
        country: String, postalCode: String, shipping: Int64, tax: Int64
    ) async throws {
        let place = Address.inCountry(country, postalCode: postalCode)
        let cart = try await guest.ship(to: place).good()
        #expect(cart.shipping?.price == Money(shipping, .eur) && cart.totals.tax == Money(tax, .eur))
        #expect(cart.totals.total == Money(4500 + shipping + tax, .eur))
        let lines = cart.lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) }
        let preview = try await guest.preview(lines, to: place, by: "standard").good()
        #expect(preview.totals == cart.totals)
        #expect(preview.methods.map(\.price) == [Money(shipping, .eur)])
        let query = "country=\(country)&postalCode=\(postalCode)"
        #expect(try await guest.call(Contract.shippingMethods, query: query).good().items == preview.methods)
        let order = try await guest.checkout().good()
        #expect(order.totals == cart.totals && order.payment.amount == cart.totals.total)
        let onShipping: Int64 = country == "AT" ? 198 : 0
        #expect(try Money.sum(order.lines.map(\.tax), in: .eur) == Money(tax - onShipping, .eur))
    }

    @Test func `Shipping to a country that the shop does not serve is refused`() async throws {
        #expect(try await guest.call(Contract.shippingMethods, query: "country=CH").good().items == [])
        try await guest.ship(to: .inCountry("CH")).problem(.unknownShippingMethod)
        try await guest.buyNow([.cap], to: .inCountry("CH"), total: 1490).problem(.unknownShippingMethod)
        #expect(try await shop.charges() == 0)
    }
}

extension ShopSettings {
    /// Adds taxes: 19 % in Germany, 7 % on hats, none on shipping; 20 % on everything in Austria.
    static let taxed = ShopSettings(
        currency: .eur, country: "DE",
        taxes: TaxSettings(
            pricesIncludeTax: false, rounding: .perLine,
            regions: [
                TaxRegion(
                    territory: Territory(country: "DE"), standardRate: 1900, categoryRates: ["hats": 700],
                    shipping: .untaxed),
                TaxRegion(territory: Territory(country: "AT"), standardRate: 2000, shipping: .asItems),
            ]),
        shipping: [
            .standard([
                .init(territories: [Territory(country: "DE")], rates: [.init(price: Money(490, .eur))]),
                .init(
                    territories: [Territory(country: "DE", postalCodePrefix: "27498")],
                    rates: [.init(price: Money(1490, .eur))]),
                .init(territories: [Territory(country: "AT")], rates: [.init(price: Money(990, .eur))]),
            ])
        ])

    /// One shipping method, free from a sum on.
    static func freeFrom(_ sum: Int64) -> ShopSettings {
        ShopSettings(
            currency: .eur, country: "DE",
            shipping: [.standard([.init(rates: [.init(price: Money(490, .eur))], freeFrom: Money(sum, .eur))])])
    }
}

extension ShippingTariff {
    fileprivate static func standard(_ regions: [Region]) -> ShippingTariff {
        ShippingTariff(id: "standard", name: "Standard", estimate: "some days", regions: regions)
    }
}
