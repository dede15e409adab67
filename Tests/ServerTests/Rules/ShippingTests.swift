import PouchDomain
import PouchEntities
import Testing

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
                    regions: [
                        .init(territories: [Territory(country: "AT")], rates: [.init(price: Money(100, .eur))])
                    ]),
            ]))

    @Test(
        arguments: [
            ("DE", "10000", 1_000, ["post": 300]), ("DE", "10000", 1_001, ["post": 500]),
            ("DE", "10000", 5_001, ["post": 900]),
            ("DE", "25999", 2_000, ["post": 700]), ("DE", "25999", 2_001, [:]),
            ("AT", "10000", 10, ["post": 300, "local": 100]),
            ("AU", "10000", 1_000, ["post": 2_000]), ("AU", "10000", 1_001, [:]), (nil, nil, 10, ["post": 300]),
            ("DE", "10000", .max, ["post": 900]), ("AU", "10000", .max, [:]),
        ] as [(String?, String?, Int, [String: Int64])])
    func `The narrowest region and the first rate that carries the weight decide, and what does not reach is missing`(
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
    func `Shipping is free from a value of the goods on, less their discount`(
        price: Int64, off: Int64?, shipping: Int64
    ) throws {
        let discount = off.map { Discount.sample(.amount(Money($0, .eur))) }
        let lines = [try PricedLine.sample("a", price: price)]
        let priced = try Self.pricing.price(
            lines, discount: discount, methodId: "post", address: .inCountry("DE"))
        #expect(priced.shippingPrice.amount == shipping)
        #expect(try Self.pricing.shippingMethods(for: lines, discount: discount).first?.price.amount == shipping)
    }

    @Test func `The weight is that of all units`() throws {
        let lines = [try PricedLine.sample("a", quantity: 2, grams: 400), try PricedLine.sample("b", grams: 201)]
        #expect(try Self.pricing.shippingMethods(for: lines).first?.price.amount == 500)
    }

    @Test func `The standard shop takes what it always took, and no tax`() throws {
        let pricing = Pricing(shop: .standard())
        let lines = [try PricedLine.sample("a", grams: 100_000)]
        #expect(try pricing.shippingMethods(for: lines, country: "AU").map(\.price.amount) == [490, 990])
        let totals = try pricing.price(lines, methodId: "express", address: .inCountry("AU")).totals
        #expect(totals.tax.amount == 0 && totals.total.amount == 1_990)
    }
}
