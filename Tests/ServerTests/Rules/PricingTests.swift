import SeededRandom
import ServerTesting
import Testing

@Suite("Pricing")
struct PricingTests {
    @Test func `Random orders have totals that add up, no discount beyond its line, and no negative tax`() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<5_000 {
            let order = try RandomOrder(using: &random)
            let (priced, currency) = (try order.priced(), order.shop.currency)
            let totals = priced.totals
            let items = try Money.sum(order.lines.map(\.total), in: currency)
            let discounts = try Money.sum(priced.lines.map(\.discount), in: currency)
            let taxes = try Money.sum(priced.lines.map(\.tax), in: currency).adding(priced.shippingTax)
            #expect(priced.lines.map(\.line) == order.lines)
            #expect(totals.items == items && totals.tax == taxes)
            #expect(totals.discount == priced.discountAmount && totals.shipping == priced.shippingPrice)
            let saved = try priced.discountAmount.subtracting(discounts)
            #expect(saved.amount == 0 || saved == priced.shippingPrice)
            let untaxed = try items.subtracting(totals.discount).adding(totals.shipping)
            #expect(totals.total == (order.shop.taxes.pricesIncludeTax ? untaxed : try untaxed.adding(taxes)))
            #expect(totals.total.amount >= 0)
            for line in priced.lines {
                #expect((0...line.line.total.amount).contains(line.discount.amount))
                let paid = line.line.total.amount - line.discount.amount
                #expect((0...paid).contains(line.tax.amount))
            }
        }
    }

    @Test func `With rounding per order the tax is computed on each rate's sum and rounded once`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let order = try RandomOrder(using: &random)
            guard order.shop.taxes.rounding == .perOrder, order.methodId == nil else { continue }
            let region = order.shop.taxes.regions[0]
            var sums: [TaxRate: Int128] = [:]
            for line in try order.priced().lines {
                let rate =
                    line.line.offer.categoryId == "food" ? region.categoryRates["food"] ?? 0 : region.standardRate
                sums[rate, default: 0] += Int128(line.line.total.amount - line.discount.amount)
            }
            let tax = sums.reduce(Int128(0)) { tax, entry in
                let rate = Int128(entry.key.millionths)
                let divisor = order.shop.taxes.pricesIncludeTax ? 1_000_000 + rate : 1_000_000
                return tax + (2 * entry.value * rate + divisor) / (2 * divisor)
            }
            #expect(Int128(try order.priced().totals.tax.amount) == tax)
        }
    }

    @Test(
        arguments: [
            // Three lines of 0.99 at 19 %: 0.1581 is contained in each and 0.4742 in all, or 0.1881 and 0.5643 are
            // added.
            (true, TaxSettings.Rounding.perLine, 48, 297), (true, .perOrder, 47, 297),
            (false, .perLine, 57, 354), (false, .perOrder, 56, 353),
        ] as [(Bool, TaxSettings.Rounding, Int64, Int64)])
    func `Tax is included or added, and rounded per line or per order`(
        included: Bool, rounding: TaxSettings.Rounding, tax: Int64, total: Int64
    ) throws {
        let taxes = TaxSettings.rates(["DE": 1_900], included: included, rounding: rounding)
        let lines = try ["a", "b", "c"].map { try PricedLine.sample($0, price: 99) }
        let priced = try Pricing(shop: .sample(taxes: taxes)).price(lines)
        #expect(priced.totals.tax.amount == tax && priced.totals.total.amount == total)
    }

    @Test(
        arguments: [
            (TaxRegion.Shipping.untaxed, 0), (.rate(1_900), 190), (.asItems, 130), (.rate(0), 0),
        ] as [(TaxRegion.Shipping, Int64)])
    func `Shipping is untaxed, or has its own rate or that of lines`(shipping: TaxRegion.Shipping, tax: Int64) throws {
        let taxes = TaxSettings(
            pricesIncludeTax: false, rounding: .perLine,
            regions: [
                TaxRegion(
                    territory: Territory(country: "DE"), standardRate: 1_900, categoryRates: ["food": 700],
                    shipping: shipping)
            ])
        let shop = ShopSettings.sample(taxes: taxes, shipping: [.flat("post", 1_000)])
        let lines = [try PricedLine.sample("a"), try PricedLine.sample("b", category: "food")]
        let priced = try Pricing(shop: shop).price(lines, methodId: "post", address: .inCountry("DE"))
        #expect(priced.shippingTax.amount == tax && priced.lines.map(\.tax.amount) == [190, 70])
        #expect(priced.totals.total.amount == 3_000 + 260 + tax)
    }

    @Test(
        arguments: [
            (Address.inCountry("US", region: "ca", postalCode: "90 210"), 1_000),
            (.inCountry("US", region: "CA", postalCode: "94100"), 700), (.inCountry("US", region: "NY"), 300),
            (.inCountry("US", postalCode: "90210"), 300), (.inCountry("FR"), 0), (nil, 1_900),
        ] as [(Address?, Int64)])
    func `The most specific region decides on the tax, or the shop's country`(address: Address?, tax: Int64) throws {
        let territories: [(Territory, TaxRate)] = [
            (Territory(country: "US"), 300), (Territory(country: "US", region: "CA"), 700),
            (Territory(country: "US", region: "CA", postalCodePrefix: "902"), 1_000), (Territory(country: "DE"), 1_900),
        ]
        for territories in [territories, territories.reversed()] {
            let taxes = TaxSettings(
                pricesIncludeTax: false, rounding: .perLine,
                regions: territories.map { TaxRegion(territory: $0, standardRate: $1) })
            let priced = try Pricing(shop: .sample(taxes: taxes)).price(
                [try .sample("a", price: 10_000)], address: address)
            #expect(priced.totals.tax.amount == tax)
        }
    }

    // New York City, Québec and Minneapolis.
    @Test(arguments: [("8.875", 888), ("9.975", 998), ("9.025", 903), ("8.3125", 831)] as [(String, Int64)])
    func `Rates are exact to four places of a per cent`(percent: String, tax: Int64) throws {
        let rate = try #require(TaxRate(percent: percent))
        #expect(rate.percent == percent)
        let priced = try Pricing(shop: .sample(taxes: .rates(["US": rate], included: false))).price(
            [try .sample("a", price: 10_000)], address: .inCountry("US"))
        #expect(priced.totals.tax.amount == tax)
    }

    /// 150.00 and 4.90 with 19 % contain 23.95 and 0.78.
    @Test(
        arguments: [
            ("DE", 15_000, 490, 2_473), ("AT", 15_000, 490, 2_582), ("FR", 15_000, 490, 0), ("CH", 12_605, 412, 0),
            ("US", 12_605, 412, 0),
        ] as [(String, Int64, Int64, Int64)])
    func `Outside the tax regions, prices exclude the included tax; at a rate of 0 they do not change`(
        country: String, items: Int64, shipping: Int64, tax: Int64
    ) throws {
        let pricing = Pricing(shop: .sample(taxes: .rates(["DE": 1_900, "AT": 2_000, "FR": 0])))
        let lines = [try PricedLine.sample("a", price: 15_000)]
        let priced = try pricing.price(lines, methodId: "post", address: .inCountry(country))
        #expect(priced.totals.items.amount == items && priced.totals.shipping.amount == shipping)
        #expect(priced.totals.tax.amount == tax && priced.totals.total.amount == items + shipping)
        #expect(priced.lines.map(\.line.offer.price.amount) == [items])
        #expect(try pricing.shippingMethods(for: lines, country: country).map(\.price.amount) == [shipping])
    }

    @Test func `For random orders, prices without tax equal the home prices less their tax`() throws {
        var random = SplitMix64(seed: 6)
        var compared = 0
        for _ in 0..<2_000 {
            let order = try RandomOrder(using: &random)
            let abroad = try Pricing(shop: order.shop).price(
                order.lines, discount: order.discount, methodId: order.methodId, address: .inCountry("CH"))
            let totals = abroad.totals
            #expect(totals.tax.amount == 0)
            #expect(try totals.total == totals.items.subtracting(totals.discount).adding(totals.shipping))
            for (line, own) in zip(abroad.lines, order.lines) {
                let price = line.line.offer.price.amount
                guard order.shop.taxes.pricesIncludeTax else {
                    #expect(line.line == own)
                    continue
                }
                let region = order.shop.taxes.regions[0]
                let rate = own.offer.categoryId == "food" ? region.categoryRates["food"] ?? 0 : region.standardRate
                let gross = Int128(own.offer.price.amount)
                let divisor = 1_000_000 + Int128(rate.millionths)
                #expect(Int128(price) == gross - (2 * gross * Int128(rate.millionths) + divisor) / (2 * divisor))
                compared += 1
            }
        }
        #expect(compared > 3_000)
    }

    @Test func `Overflow and mixed currencies throw`() throws {
        let lines = try ["a", "b"].map { try PricedLine.sample($0, price: .max / 999, quantity: 999) }
        #expect(throws: MoneyError.overflow) { try Pricing(shop: .sample()).price(lines) }
        let taxes = TaxSettings.rates([nil: 10_000], included: false, rounding: .perOrder)
        #expect(throws: MoneyError.overflow) {
            try Pricing(shop: .sample(taxes: taxes)).price([try .sample("a", price: .max)])
        }
        #expect(throws: MoneyError.currencyMismatch) {
            try Pricing(shop: .sample()).price([try .sample("a", currency: try #require(Currency(code: "JPY")))])
        }
    }
}

@Suite("Shipping prices")
struct ShippingTests {
    private static let tariff = ShippingTariff(
        id: "post", name: "Post", estimate: "soon",
        regions: [
            .init(
                territories: [Territory(country: "DE"), Territory(country: "AT")],
                rates: [
                    .init(price: Money(900, .eur)), .init(upToGrams: 1_000, price: Money(300, .eur)),
                    .init(upToGrams: 5_000, price: Money(500, .eur)),
                ], freeFrom: Money(10_000, .eur)),
            .init(
                territories: [Territory(country: "DE", postalCodePrefix: "25")],
                rates: [.init(upToGrams: 2_000, price: Money(700, .eur))]),
            .init(rates: [.init(upToGrams: 1_000, price: Money(2_000, .eur))]),
        ])
    private static let pricing = Pricing(
        shop: .sample(
            shipping: [
                tariff,
                ShippingTariff(
                    id: "local", name: "Local", estimate: "today",
                    regions: [.init(territories: [Territory(country: "AT")], rates: [.init(price: Money(100, .eur))])]),
            ]))

    @Test(
        arguments: [
            ("DE", "10000", 1_000, ["post": 300]), ("DE", "10000", 1_001, ["post": 500]),
            ("DE", "10000", 5_001, ["post": 900]), ("DE", "25999", 2_000, ["post": 700]), ("DE", "25999", 2_001, [:]),
            ("AT", "10000", 10, ["post": 300, "local": 100]),
            ("AU", "10000", 1_000, ["post": 2_000]), ("AU", "10000", 1_001, [:]), (nil, nil, 10, ["post": 300]),
            ("DE", "10000", .max, ["post": 900]), ("AU", "10000", .max, [:]),
        ] as [(String?, String?, Int, [String: Int64])])
    func `The most specific region and the first rate for the weight apply; other methods are left out`(
        country: String?, postalCode: String?, grams: Int, prices: [String: Int64]
    ) throws {
        let lines = [try PricedLine.sample("a", grams: grams)]
        let methods = try Self.pricing.shippingMethods(for: lines, country: country, postalCode: postalCode)
        #expect(Dictionary(uniqueKeysWithValues: methods.map { ($0.id, $0.price.amount) }) == prices)
        guard let country, let postalCode else { return }
        let address = Address.inCountry(country, postalCode: postalCode)
        for id in ["post", "local", "none"] {
            if let price = prices[id] {
                #expect(try Self.pricing.price(lines, methodId: id, address: address).shippingPrice.amount == price)
            } else {
                #expect(throws: DomainError.unknownShippingMethod) {
                    try Self.pricing.price(lines, methodId: id, address: address)
                }
            }
        }
    }

    @Test(
        arguments: [(9_999, nil, 300), (10_000, nil, 0), (10_000, 1, 300), (10_001, 1, 0)] as [(Int64, Int64?, Int64)])
    func `Shipping is free from a sum less the discount`(price: Int64, off: Int64?, shipping: Int64) throws {
        let discount = off.map { Discount.sample(.amount(Money($0, .eur))) }
        let lines = [try PricedLine.sample("a", price: price)]
        let priced = try Self.pricing.price(lines, discount: discount, methodId: "post", address: .inCountry("DE"))
        #expect(priced.shippingPrice.amount == shipping)
        #expect(try Self.pricing.shippingMethods(for: lines, discount: discount).first?.price.amount == shipping)
    }

    @Test func `The shipping weight is that of all units`() throws {
        let lines = [try PricedLine.sample("a", quantity: 2, grams: 400), try PricedLine.sample("b", grams: 201)]
        #expect(try Self.pricing.shippingMethods(for: lines).first?.price.amount == 500)
    }

    @Test func `The standard shop has its two shipping prices and no tax`() throws {
        let pricing = Pricing(shop: .standard())
        let lines = [try PricedLine.sample("a", grams: 100_000)]
        #expect(try pricing.shippingMethods(for: lines, country: "AU").map(\.price.amount) == [490, 990])
        let totals = try pricing.price(lines, methodId: "express", address: .inCountry("AU")).totals
        #expect(totals.tax.amount == 0 && totals.total.amount == 1_990)
    }
}
