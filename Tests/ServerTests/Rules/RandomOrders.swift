import SeededRandom
import ServerTesting

extension PricedLine {
    /// A line with defaults for everything that a test does not name.
    static func sample(
        _ sku: String, price: Int64 = 1_000, quantity: Int = 1, category: String = "things", grams: Int = 0,
        available: Int = 1_000, currency: Currency = .eur
    ) throws -> PricedLine {
        try PricedLine(
            offer: Offer(
                sku: sku, productHandle: sku, categoryId: category, weightGrams: grams,
                price: Money(price, currency), available: available),
            quantity: quantity)
    }
}

extension Discount {
    static func sample(
        _ rule: Rule, minimum: Money? = nil, products: [String]? = nil, categories: [String]? = nil,
        startsAt: Date? = nil, endsAt: Date? = nil, limit: Int? = nil, limitPerAccount: Int? = nil
    ) -> Discount {
        Discount(
            id: "dis_1", code: "SAVE", rule: rule, startsAt: startsAt, endsAt: endsAt, minimum: minimum,
            products: products, categories: categories, limit: limit, limitPerAccount: limitPerAccount)
    }
}

extension Address {
    static func inCountry(_ country: String, region: String? = nil, postalCode: String = "1000") -> Address {
        Address(name: "Ada", line1: "1 Road", city: "Town", region: region, postalCode: postalCode, country: country)
    }
}

extension ShopSettings {
    static func sample(
        taxes: TaxSettings = TaxSettings(pricesIncludeTax: true, rounding: .perLine, regions: []),
        shipping: [ShippingTariff] = [.flat("post", 490)], currency: Currency = .eur
    ) -> ShopSettings {
        ShopSettings(currency: currency, country: "DE", taxes: taxes, shipping: shipping)
    }
}

extension TaxSettings {
    /// Standard rates by country; that of nil is for everywhere.
    static func rates(
        _ rates: KeyValuePairs<String?, TaxRate>, included: Bool = true, rounding: Rounding = .perLine
    ) -> TaxSettings {
        TaxSettings(
            pricesIncludeTax: included, rounding: rounding,
            regions: rates.map { TaxRegion(territory: Territory(country: $0.key), standardRate: $0.value) })
    }
}

extension ShippingTariff {
    static func flat(_ id: String, _ price: Int64, currency: Currency = .eur) -> ShippingTariff {
        ShippingTariff(
            id: id, name: id, estimate: "soon", regions: [Region(rates: [Rate(price: Money(price, currency))])])
    }
}

/// A random order in a shop with random settings.
struct RandomOrder {
    let shop: ShopSettings
    let lines: [PricedLine]
    let discount: Discount?
    let methodId: String?

    func priced() throws -> PricedOrder {
        try Pricing(shop: shop).price(lines, discount: discount, methodId: methodId, address: .inCountry("DE"))
    }

    init(using random: inout SplitMix64) throws {
        let currency =
            ["JPY", "EUR", "JOD", "CLF"].compactMap { Currency(code: $0) }.randomElement(using: &random) ?? .eur
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        let categories = ["food", "books", "things"]
        let rates: [TaxRate] = [0, 1, 500, 550, 700, TaxRate(millionths: 88_750), 1_900, 2_500, 10_000]
        let greatest: Int64 = chance(10) ? ModelLimits.price.upperBound : 5_000
        lines = try (0..<Int.random(in: 0...12, using: &random)).map { index in
            try .sample(
                "sku-\(index)", price: Int64.random(in: 0...greatest, using: &random),
                quantity: chance(10) ? 999 : Int.random(in: 1...7, using: &random),
                category: categories.randomElement(using: &random) ?? "", currency: currency)
        }
        let shippingTaxes: [TaxRegion.Shipping] = [.untaxed, .asItems, .rate(1_900)]
        shop = ShopSettings(
            currency: currency, country: "DE",
            taxes: TaxSettings(
                pricesIncludeTax: chance(50), rounding: chance(50) ? .perLine : .perOrder,
                regions: [
                    TaxRegion(
                        territory: Territory(country: "DE"), standardRate: rates.randomElement(using: &random) ?? 0,
                        categoryRates: ["food": rates.randomElement(using: &random) ?? 0],
                        shipping: shippingTaxes.randomElement(using: &random) ?? .untaxed)
                ]),
            shipping: [.flat("post", Int64.random(in: 0...2_000, using: &random), currency: currency)])
        methodId = chance(70) ? "post" : nil
        let rules: [Discount.Rule] = [
            .percentage(basisPoints: Int.random(in: 1...10_000, using: &random)),
            .amount(Money(Int64.random(in: 1...20_000, using: &random), currency)),
            .buyXGetY(buy: Int.random(in: 1...3, using: &random), get: Int.random(in: 1...3, using: &random)),
            .freeShipping,
        ]
        discount =
            chance(20)
            ? nil
            : .sample(
                rules.randomElement(using: &random) ?? .freeShipping,
                minimum: chance(30) ? Money(Int64.random(in: 0...20_000, using: &random), currency) : nil,
                categories: chance(30) ? ["food"] : nil)
    }
}
