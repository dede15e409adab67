import PouchDomain
import PouchEntities
import SeededRandom
import Testing

@Suite("Pricing")
struct PricingTests {
    @Test func `Totals are the sum of their parts, for every kind of order`() throws {
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
        }
    }

    @Test func `A discount never takes more off a line than the line comes to, nor is a tax ever below zero`() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<5_000 {
            let order = try RandomOrder(using: &random)
            for line in try order.priced().lines {
                #expect((0...line.line.total.amount).contains(line.discount.amount))
                let paid = line.line.total.amount - line.discount.amount
                #expect((0...paid).contains(line.tax.amount))
            }
        }
    }

    @Test func `An order's tax is that of each rate's sum, rounded once`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let order = try RandomOrder(using: &random)
            guard order.shop.taxes.rounding == .perOrder, order.methodId == nil else { continue }
            let region = order.shop.taxes.regions[0]
            var sums: [Int: Int128] = [:]
            for line in try order.priced().lines {
                let rate =
                    line.line.offer.categoryId == "food" ? region.categoryRates["food"] ?? 0 : region.standardRate
                sums[rate, default: 0] += Int128(line.line.total.amount - line.discount.amount)
            }
            let tax = sums.reduce(Int128(0)) { tax, entry in
                let divisor = Int128(order.shop.taxes.pricesIncludeTax ? 10_000 + entry.key : 10_000)
                return tax + (2 * entry.value * Int128(entry.key) + divisor) / (2 * divisor)
            }
            #expect(Int128(try order.priced().totals.tax.amount) == tax)
        }
    }

    @Test(
        arguments: [
            // Three lines of 0.99 at 19 %: 0.1581 is contained in each and 0.4742 in all, or 0.1881 and 0.5643 are added.
            (true, TaxSettings.Rounding.perLine, 48, 297), (true, .perOrder, 47, 297),
            (false, .perLine, 57, 354), (false, .perOrder, 56, 353),
        ] as [(Bool, TaxSettings.Rounding, Int64, Int64)])
    func `Tax is contained or added, and rounded for each line or once`(
        included: Bool, rounding: TaxSettings.Rounding, tax: Int64, total: Int64
    ) throws {
        let taxes = TaxSettings(
            pricesIncludeTax: included, rounding: rounding,
            regions: [TaxRegion(territory: Territory(country: "DE"), standardRate: 1_900)])
        let lines = try ["a", "b", "c"].map { try PricedLine.sample($0, price: 99) }
        let priced = try Pricing(shop: .sample(taxes: taxes)).price(lines)
        #expect(priced.totals.tax.amount == tax && priced.totals.total.amount == total)
    }

    @Test(
        arguments: [
            (TaxRegion.Shipping.untaxed, 0), (.rate(1_900), 190), (.asItems, 130), (.rate(0), 0),
        ] as [(TaxRegion.Shipping, Int64)])
    func `Shipping is untaxed, has a rate, or is split over those of the lines`(
        shipping: TaxRegion.Shipping, tax: Int64
    ) throws {
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
    func `The region that describes the address most narrowly decides on the tax, and the shop's country without one`(
        address: Address?, tax: Int64
    ) throws {
        let territories: [(Territory, Int)] = [
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

    @Test func `What does not fit is an error, never a wrong sum`() throws {
        let lines = try ["a", "b"].map { try PricedLine.sample($0, price: .max / 999, quantity: 999) }
        #expect(throws: MoneyError.overflow) { try Pricing(shop: .sample()).price(lines) }
        let taxes = TaxSettings(
            pricesIncludeTax: false, rounding: .perOrder,
            regions: [TaxRegion(territory: .everywhere, standardRate: 10_000)])
        #expect(throws: MoneyError.overflow) {
            try Pricing(shop: .sample(taxes: taxes)).price([try .sample("a", price: .max)])
        }
        #expect(throws: MoneyError.currencyMismatch) {
            try Pricing(shop: .sample()).price([try .sample("a", currency: try #require(Currency(code: "JPY")))])
        }
    }
}
