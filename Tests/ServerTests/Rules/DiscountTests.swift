import SeededRandom
import ServerTesting
import Testing

@Suite("Discounts")
struct DiscountTests {
    private static let moment = Date(timeIntervalSince1970: 1_000_000)
    private static let instant = 0.001

    private func discounts(_ discount: Discount, _ lines: [PricedLine]) throws -> [Int64] {
        try Pricing(shop: .sample()).price(lines, discount: discount).lines.map(\.discount.amount)
    }

    @Test(
        arguments: [
            (-instant, 0, 0, DomainError.discountInvalid), (0, 0, 0, nil), (60 - instant, 0, 0, nil),
            (60, 0, 0, .discountExpired), (0, 2, 0, nil), (0, 3, 0, .discountExhausted), (0, 2, 1, .discountExhausted),
        ] as [(Double, Int, Int, DomainError?)])
    func `A code is valid from its start until just before its end, and until used up in total or by the account`(
        after: Double, used: Int, byAccount: Int, expected: DomainError?
    ) {
        let discount = Discount.sample(
            .freeShipping, startsAt: Self.moment, endsAt: Self.moment + 60, limit: 3, limitPerAccount: 1)
        var refusal: DomainError?
        do { try discount.check(at: Self.moment + after, used: used, usedByAccount: byAccount) } catch {
            refusal = error
        }
        #expect(refusal == expected)
    }

    @Test(
        arguments: [
            ("save-10", "SAVE-10"), (" Save_1.x ", "SAVE_1.X"), ("ab", nil), ("abc", "ABC"), ("straße", nil),
            ("a b", nil), (String(repeating: "a", count: 41), nil), ("", nil), ("ab\u{0}c", nil), ("ſave", nil),
        ] as [(String, String?)])
    func `Codes are normalised to capitals, and an invalid code gives nil`(code: String, normal: String?) {
        #expect(Discount.normalised(code: code) == normal)
    }

    @Test func `A percentage is rounded once for all lines and split by the largest remainder`() throws {
        let lines = try ["a", "b", "c"].map { try PricedLine.sample($0, price: 333) }
        // 99.9, rounded to 100.
        #expect(try discounts(.sample(.percentage(basisPoints: 1_000)), lines) == [34, 33, 33])
        #expect(try discounts(.sample(.percentage(basisPoints: 10_000)), lines) == [333, 333, 333])
    }

    @Test func `An amount takes off at most the total of the eligible lines`() throws {
        let lines = [try PricedLine.sample("a", price: 300), try PricedLine.sample("b", price: 100, category: "food")]
        #expect(try discounts(.sample(.amount(Money(200, .eur))), lines) == [150, 50])
        #expect(try discounts(.sample(.amount(Money(999, .eur))), lines) == [300, 100])
        #expect(try discounts(.sample(.amount(Money(999, .eur)), categories: ["food"]), lines) == [0, 100])
        #expect(try discounts(.sample(.amount(Money(50, .eur)), products: ["a"]), lines) == [50, 0])
        #expect(
            try discounts(.sample(.amount(Money(200, .eur)), products: ["a"], categories: ["food"]), lines) == [
                150, 50,
            ])
        #expect(try discounts(.sample(.amount(Money(999, .eur)), products: []), lines) == [0, 0])
    }

    @Test(arguments: [(299, 0), (300, 30), (301, 30)] as [(Int64, Int64)])
    func `A code takes off nothing below its minimum of eligible lines`(price: Int64, off: Int64) throws {
        let lines = [try PricedLine.sample("a", price: price), try PricedLine.sample("b", category: "food")]
        let discount = Discount.sample(.percentage(basisPoints: 1_000), minimum: Money(300, .eur), products: ["a"])
        #expect(try discounts(discount, lines) == [off, 0])
    }

    @Test func `The cheapest units of each full group are free, on their own lines`() throws {
        let lines = [
            try PricedLine.sample("cheap", price: 100, quantity: 3),
            try PricedLine.sample("dear", price: 900, quantity: 2),
            try PricedLine.sample("middle", price: 500, quantity: 2),
            try PricedLine.sample("other", price: 50, category: "food"),
        ]
        // dear dear middle | middle cheap cheap | cheap: the last of each full group is free.
        let discount = Discount.sample(.buyXGetY(buy: 2, get: 1), categories: ["things"])
        #expect(try discounts(discount, lines) == [100, 0, 500, 0])
        #expect(try discounts(.sample(.buyXGetY(buy: 7, get: 1)), lines) == [0, 0, 0, 50])
        #expect(try discounts(.sample(.buyXGetY(buy: 8, get: 1)), lines) == [0, 0, 0, 0])
    }

    @Test func `Free units match a count unit by unit`() throws {
        var random = SplitMix64(seed: 6)
        for _ in 0..<3_000 {
            let lines = try (0..<Int.random(in: 1...6, using: &random)).map {
                try PricedLine.sample(
                    "\($0)", price: Int64.random(in: 1...4, using: &random),
                    quantity: Int.random(in: 1...6, using: &random))
            }
            let (buy, get) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
            var units: [(index: Int, price: Int64)] = []
            for (index, line) in lines.enumerated() {
                for _ in 0..<line.quantity { units.append((index, line.offer.price.amount)) }
            }
            units.sort { $0.price == $1.price ? $0.index < $1.index : $0.price > $1.price }
            var expected = lines.map { _ in Int64(0) }
            for start in stride(from: 0, through: units.count - buy - get, by: buy + get) {
                for unit in units[start..<start + buy + get].suffix(get) { expected[unit.index] += unit.price }
            }
            #expect(try discounts(.sample(.buyXGetY(buy: buy, get: get)), lines) == expected)
        }
    }

    @Test func `Free shipping takes off the whole shipping price with its tax once shipping is chosen`() throws {
        let pricing = Pricing(shop: .sample(taxes: .rates([nil: 1_900])))
        let lines = [try PricedLine.sample("a")]
        #expect(try pricing.price(lines, discount: .sample(.freeShipping)).discountAmount.amount == 0)
        let chosen = try pricing.price(
            lines, discount: .sample(.freeShipping), methodId: "post", address: .inCountry("DE"))
        #expect(chosen.discountAmount.amount == 490 && chosen.shippingPrice.amount == 490)
        #expect(chosen.shippingTax.amount == 0 && chosen.totals.total.amount == 1_000)
        let ineligible = try pricing.price(
            lines, discount: .sample(.freeShipping, products: ["b"]), methodId: "post", address: .inCountry("DE"))
        #expect(ineligible.totals.total.amount == 1_490)
    }
}
