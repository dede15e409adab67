import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchWire
import Testing

/// A shop in Germany that adds taxes, those on hats lower, and sends to Germany and Austria.
@Suite("Taxes and shipping by region")
struct RegionTests {
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TestShop.open(
            [
                .stocked("cap", price: 1000, category: "Hats"), .sized("scarf", price: 2500, stock: [("S", 10)]),
            ], configure: { $0.shop = .taxed }, body)
    }

    private func address(_ country: String, postalCode: String = "10115") -> Address {
        Address(name: "Ada", line1: "Main Street 1", city: "Town", postalCode: postalCode, country: country)
    }

    private func fill(_ buyer: Caller) async throws {
        try await buyer.add("cap", 2).good()
        try await buyer.add("scarf-s").good()
    }

    @Test(arguments: [
        // 2000 at 7 % and 2500 at 19 %; shipping is not taxed there.
        ("DE", "10115", Int64(490), Int64(140 + 475)),
        // To the island it costs more.
        ("DE", "27498", Int64(1490), Int64(140 + 475)),
        // All at 20 %, the shipping too.
        ("AT", "1010", Int64(990), Int64(400 + 500 + 198)),
    ])
    func `Cart, preview and order have the taxes and the shipping price of the address`(
        country: String, postalCode: String, shipping: Int64, tax: Int64
    ) async throws {
        try await open { shop in
            let guest = try await shop.guest()
            try await fill(guest)
            let place = address(country, postalCode: postalCode)
            let cart = try await guest.ship(to: place).good()
            #expect(cart.shipping?.price == Money(shipping, .eur) && cart.totals.tax == Money(tax, .eur))
            #expect(cart.totals.total == Money(4500 + shipping + tax, .eur))
            let preview = try await guest.call(
                Contract.previewOrder,
                PreviewRequest(
                    lines: cart.lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) },
                    address: AddressInput(place), methodId: "standard")
            ).good()
            #expect(preview.totals == cart.totals)
            #expect(preview.methods.map(\.price) == [Money(shipping, .eur)])
            let query = "country=\(country)&postalCode=\(postalCode)"
            let offered = try await guest.call(Contract.shippingMethods, query: query).good()
            #expect(offered.items == preview.methods)
            let order = try await guest.checkout().good()
            #expect(order.totals == cart.totals && order.payment.amount == cart.totals.total)
            let onShipping: Int64 = country == "AT" ? 198 : 0
            #expect(try Money.sum(order.lines.map(\.tax), in: .eur) == Money(tax - onShipping, .eur))
        }
    }

    @Test func `Where nothing is sent to no way is offered, and none can be chosen or paid for`() async throws {
        try await open { shop in
            let guest = try await shop.guest()
            try await fill(guest)
            #expect(try await guest.call(Contract.shippingMethods, query: "country=CH").good().items == [])
            try await guest.ship(to: address("CH")).problem(.unknownShippingMethod)
            try await guest.call(
                Contract.buyNow,
                BuyNowRequest(
                    lines: [LineRequest(sku: "cap", quantity: 1)], address: AddressInput(address("CH")),
                    methodId: "standard", paymentMethod: .card(token: "tok_ok"), expectedTotal: Money(1490, .eur),
                    email: "guest@example.com"),
                headers: [HeaderName.idempotencyKey: Caller.key()]
            ).problem(.unknownShippingMethod)
            #expect(try await shop.charges() == 0)
        }
    }

    @Test func `Who expects the total of another region is refused`() async throws {
        try await open { shop in
            let guest = try await shop.guest()
            try await fill(guest)
            let there = try await guest.ship(to: address("DE")).good().totals.total
            try await guest.ship(to: address("AT")).good()
            try await guest.checkout(total: there.amount).problem(.priceChanged)
        }
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
            ShippingTariff(
                id: "standard", name: "Standard", estimate: "some days",
                regions: [
                    .init(territories: [Territory(country: "DE")], rates: [.init(price: Money(490, .eur))]),
                    .init(
                        territories: [Territory(country: "DE", postalCodePrefix: "27498")],
                        rates: [.init(price: Money(1490, .eur))]),
                    .init(territories: [Territory(country: "AT")], rates: [.init(price: Money(990, .eur))]),
                ])
        ])

    /// One way of delivery, which costs nothing from a sum on.
    static func freeFrom(_ sum: Int64) -> ShopSettings {
        ShopSettings(
            currency: .eur, country: "DE",
            shipping: [
                ShippingTariff(
                    id: "standard", name: "Standard", estimate: "some days",
                    regions: [.init(rates: [.init(price: Money(490, .eur))], freeFrom: Money(sum, .eur))])
            ])
    }
}
