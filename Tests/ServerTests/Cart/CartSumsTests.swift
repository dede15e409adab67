import SeededRandom
import ServerTesting
import Testing

@Suite("The sums over the lines of a cart")
struct CartSumsTests {
    private static let prices = CartSums.Prices(catalogVersion: 7, from: Date(timeIntervalSince1970: 1_000), until: nil)

    @Test func `Random changes by line leave the sums of the lines, and the totals of the full computation`() throws {
        var random = SplitMix64(seed: 11)
        var (compared, left) = (0, 0)
        for _ in 0..<2_000 {
            let order = try RandomOrder(using: &random)
            let pricing = Pricing(shop: order.shop)
            let taxes = pricing.taxTable(.inCountry("DE"))
            var (lines, sums) = ([PricedLine](), CartSums.empty)
            for _ in 0..<12 {
                guard let line = order.lines.randomElement(using: &random) else { break }
                let index = lines.firstIndex { $0.offer.sku == line.offer.sku }
                let before = index.map { lines[$0] }
                let quantity = Int.random(in: 0...5, using: &random)
                let after = quantity == 0 ? nil : try PricedLine(offer: line.offer, quantity: quantity)
                if let index { lines.remove(at: index) }
                if let after { lines.insert(after, at: index ?? lines.count) }
                sums = try #require(try sums.changed(from: before, to: after, prices: Self.prices, taxes: taxes))
                #expect(sums == (try CartSums(lines, prices: Self.prices, taxes: taxes)))

                func price(_ country: String) throws -> PricedOrder {
                    try pricing.price(
                        lines, discount: order.discount, methodId: order.methodId, address: .inCountry(country))
                }
                func totals(_ country: String) throws -> Totals? {
                    try pricing.totals(
                        of: sums, discount: order.discount, methodId: order.methodId, address: .inCountry(country))
                }
                if let abroad = try totals("CH") {
                    #expect(try abroad == price("CH").totals)
                    #expect(!order.shop.taxes.pricesIncludeTax)
                }
                let full = try price("DE")
                if let found = try totals("DE") {
                    compared += 1
                    #expect(found == full.totals)
                    #expect(full.lines.allSatisfy { $0.discount.amount == 0 })
                } else {
                    // Only a discount needs the lines.
                    left += 1
                    #expect(order.discount != nil)
                }
            }
        }
        #expect(compared > 8_000 && left > 2_000, "\(compared), \(left)")
    }

    @Test(arguments: TaxSettings.Rounding.allCases)
    func `Totals of another tax region follow from sums rounded per order`(rounding: TaxSettings.Rounding) throws {
        let pricing = Pricing(shop: .sample(taxes: .rates(["DE": 1_900, "AT": 2_000], rounding: rounding)))
        let lines = try ["a", "b", "c"].map { try PricedLine.sample($0, price: 99) }
        let sums = try #require(try CartSums(lines, prices: Self.prices, taxes: pricing.taxTable(.inCountry("DE"))))
        let totals = try pricing.totals(of: sums, address: .inCountry("AT"))
        let full = try pricing.price(lines, address: .inCountry("AT")).totals
        #expect(totals == (rounding == .perOrder ? full : nil))
        // Each price is without tax there, and so rounded by itself.
        #expect(try pricing.totals(of: sums, address: .inCountry("FR")) == nil)
        // The rates of such sums do not mix.
        let (more, taxes) = (try PricedLine.sample("d", price: 5), pricing.taxTable(.inCountry("AT")))
        #expect(try sums.changed(from: nil, to: more, prices: Self.prices, taxes: taxes) == nil)
    }

    @Test func `The split of the shipping over tax rates does not depend on the order of the lines`() throws {
        let taxes = TaxSettings(
            pricesIncludeTax: false, rounding: .perOrder,
            regions: [TaxRegion(territory: Territory(country: "DE"), standardRate: 10_000, categoryRates: ["food": 0])])
        let pricing = Pricing(shop: .sample(taxes: taxes, shipping: [.flat("post", 5)]))
        let lines = [try PricedLine.sample("a", price: 100), try .sample("b", price: 100, category: "food")]
        for lines in [lines, lines.reversed()] {
            // One of five cents is left over, and both rates have the same claim to it.
            let full = try pricing.price(lines, methodId: "post", address: .inCountry("DE")).totals
            #expect(full.tax == Money(102, .eur))
            let taxes = pricing.taxTable(.inCountry("DE"))
            let sums = try #require(try CartSums(lines, prices: Self.prices, taxes: taxes))
            #expect(try pricing.totals(of: sums, methodId: "post", address: .inCountry("DE")) == full)
        }
    }

    @Test func `Weights that exceed all figures, and amounts that overflow, are left to the full computation`() throws {
        let taxes = Pricing(shop: .sample()).taxTable(nil)
        let heavy = try PricedLine.sample("anvil", quantity: 3, grams: .max / 2)
        #expect(try CartSums.empty.changed(from: nil, to: heavy, prices: Self.prices, taxes: taxes) == nil)
        #expect(try CartSums([heavy], prices: Self.prices, taxes: taxes) == nil)
        let dear = try PricedLine.sample("gold", price: .max - 1)
        #expect(throws: MoneyError.overflow) { try CartSums([dear, dear], prices: Self.prices, taxes: taxes) }
    }
}

/// Every answer to a write is compared with the cart that is then read, which is priced from its lines.
@Suite("Summaries of carts through random changes", .timeLimit(.minutes(5)))
struct RandomCartSummaryTests {
    /// A shop with different rates for food, rounded for each line, and tariffs by weight and value.
    private static func settings(_ rounding: TaxSettings.Rounding) -> ShopSettings {
        let rates: [ShippingTariff.Rate] = [
            .init(upToGrams: 2_000, price: Money(490, .eur)), .init(price: Money(990, .eur)),
        ]
        return ShopSettings(
            currency: .eur, country: "DE",
            taxes: TaxSettings(
                pricesIncludeTax: rounding == .perLine, rounding: rounding,
                regions: [
                    TaxRegion(territory: Territory(country: "DE"), standardRate: 1_900, categoryRates: ["food": 700]),
                    TaxRegion(territory: Territory(country: "AT"), standardRate: 2_000, shipping: .rate(1_000)),
                ]),
            shipping: [
                ShippingTariff(
                    id: "standard", name: "Post", estimate: "soon",
                    regions: [.init(rates: rates, freeFrom: Money(20_000, .eur))])
            ])
    }

    private static let skus = (0..<9).map { "thing-\($0)" }

    private static func products(_ prices: [Int64]) -> [FeedProduct] {
        skus.indices.map { index in
            let variant = FeedVariant(
                sku: skus[index], options: [:], price: Money(prices[index], .eur), stock: 40, weightGrams: 130 * index)
            return FeedProduct(
                line: index + 1, handle: skus[index], name: skus[index].capitalized,
                categoryName: index % 3 == 0 ? "Food" : "Things", variants: [variant])
        }
    }

    @Test(arguments: [(TaxSettings.Rounding.perLine, UInt64(1)), (.perOrder, 2), (.perLine, 3), (.perOrder, 4)])
    func `Summaries have the totals of the whole cart`(rounding: TaxSettings.Rounding, seed: UInt64) async throws {
        let initial = Self.skus.indices.map { Int64(99 + 333 * $0) }
        try await TestShop.open(Self.products(initial), configure: { $0.shop = Self.settings(rounding) }) { shop in
            var (random, prices) = (SplitMix64(seed: seed), initial)
            let admin = try await shop.admin()
            for terms in [
                DiscountTerms.ten, DiscountTerms(code: "SHIP", kind: .freeShipping, minimum: Money(3_000, .eur)),
                DiscountTerms(code: "FOOD", kind: .amount, amount: Money(500, .eur), categories: ["food"]),
            ] { try await admin.addDiscount(terms).good() }
            let buyer = try await shop.customer()
            let other = try await shop.signIn()
            for step in 0..<120 {
                let place = try #require(Self.skus.indices.randomElement(using: &random))
                let sku = Self.skus[place]
                let one = Bool.random(using: &random) ? buyer : other
                let written: CartSummary
                switch Int.random(in: 0..<20, using: &random) {
                case 0:
                    prices[place] += 7
                    try await admin.change(sku, price: prices[place]).good()
                    continue
                case 1:
                    let start = shop.clock.now.addingTimeInterval(Double(Int.random(in: 1...3, using: &random)))
                    try await admin.schedule(sku, price: 55, from: start, until: start.addingTimeInterval(2)).good()
                    continue
                case 2, 3:
                    shop.clock.advance(by: 1)
                    continue
                case 4: written = try await one.ship(to: "DE").summary()
                case 5: written = try await one.ship(to: "AT").summary()
                case 6:
                    let code = try #require(["TEN", "SHIP", "FOOD"].randomElement(using: &random))
                    written = try await one.discount(code, headers: .minimal).summary()
                case 7, 8: written = try await one.call(Contract.removeCartDiscount, headers: .minimal).summary()
                case 9:
                    let whole = try await one.set(sku, to: 2).good()
                    #expect(try await buyer.cart() == whole)
                    continue
                case 10:
                    written = try await one.call(Contract.removeCartLine, path: ["sku": sku], headers: .minimal)
                        .summary()
                case 11 where step % 3 == 0:
                    written = try await one.call(Contract.clearCart, headers: .minimal).summary()
                default:
                    let quantity = Int.random(in: 1...4, using: &random)
                    written = try await one.set(sku, to: quantity, headers: .minimal).summary()
                    #expect(written.line?.quantity == quantity)
                }
                let cart = try await buyer.cart()
                #expect(written.totals == cart.totals, "step \(step)")
                #expect(written.version == cart.version && cart.changes == [])
                if let line = written.line { #expect(cart.lines.contains(line), "step \(step)") }
            }
        }
    }
}

extension [FeedProduct] {
    fileprivate static var forSummaries: [FeedProduct] {
        let things = (0..<6).map { FeedProduct.stocked("thing-\($0)", price: 100 + Int64($0), stock: 99) }
        return usual + things + [FeedProduct.stocked("leaf", price: 300)]
    }
}

@Suite("Summaries of carts", .timeLimit(.minutes(5)), .inShop(.forSummaries))
struct CartSummaryTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    /// The sum of the items after a write.
    private func items(_ sku: String, _ quantity: Int) async throws -> Int64 {
        try await guest.set(sku, to: quantity, headers: .minimal).summary().totals.items.amount
    }

    @Test func `A price that changes before a write is in its totals, and counts as seen afterwards`() async throws {
        for sku in ["cap", "scarf-s"] { _ = try await guest.add(sku, headers: .minimal).summary() }
        try await shop.admin().change("cap", price: 1_300).good()
        #expect(try await guest.cart().changes.map(\.sku) == ["cap"])
        #expect(try await items("scarf-s", 2) == 6_300)
        #expect(try await guest.cart().changes == [])
        // The next write relies on the new sums.
        #expect(try await items("cap", 2) == 7_600)
    }

    @Test func `A scheduled price begins and ends in the totals without a change of the catalogue`() async throws {
        let start = shop.clock.now.addingTimeInterval(60)
        let end = start.addingTimeInterval(60)
        try await shop.admin().schedule("cap", price: 700, from: start, until: end).good()
        _ = try await guest.add("cap", headers: .minimal).summary()
        #expect(try await items("scarf-s", 1) == 3_500)
        // The last is a clock that is set back.
        let steps: [(time: Double, units: Int, items: Int64)] = [
            (59, 2, 6_000), (1, 1, 3_200), (59, 2, 5_700), (1, 1, 3_500), (-30, 2, 5_700),
        ]
        for step in steps {
            shop.clock.advance(by: step.time)
            #expect(try await items("scarf-s", step.units) == step.items)
        }
    }

    @Test func `Lines that leave the shop and come back with a season count only while offered`() async throws {
        _ = try await guest.add("cap", headers: .minimal).summary()
        _ = try await guest.add("leaf", 2, headers: .minimal).summary()
        let start = shop.clock.now.addingTimeInterval(60)
        try await shop.feed([
            .season(Season(id: "autumn", name: "Autumn", startsAt: start, endsAt: nil)),
            .product(.stocked("leaf", price: 300, season: "autumn")),
        ])
        #expect(try await items("cap", 2) == 2_000)
        // Removing a line that is not offered takes nothing off the sums, and a new line comes after it.
        shop.clock.advance(by: 60)
        #expect(try await items("cap", 1) == 1_600)
        #expect(try await guest.cart().lines.map(\.sku) == ["cap", "leaf"])
    }

    @Test func `Concurrent writes of two sessions to one cart are all in its sums`() async throws {
        let first = try await shop.customer()
        let sessions = [first, try await shop.signIn()]
        let statuses = try await parallel(24) { number in
            try await patiently { try await sessions[number % 2].add("thing-\(number % 6)", headers: .minimal) }.status
        }
        #expect(statuses == Array(repeating: 200, count: 24))
        let last = try await first.add("thing-0", headers: .minimal).summary()
        let cart = try await first.cart()
        #expect(last.totals == cart.totals && last.version == 25)
        #expect(cart.lines.map(\.quantity).reduce(0, +) == 25 && cart.lines.count == 6)
        #expect(try await shop.rows("SELECT DISTINCT position FROM cart_lines").count == 6)
    }

    @Test func `A write by a server of an earlier release, which knows no sums, is noticed`() async throws {
        _ = try await guest.add("cap", 2, headers: .minimal).summary()
        let owner = try #require(guest.session?.id)
        try await shop.database { connection in
            try connection.run("UPDATE cart_lines SET quantity = 5 WHERE owner_id = ?", [.text(owner)])
            try connection.run(
                """
                INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
                VALUES (?, 'scarf-m', 9, 1, 2500)
                """, [.text(owner)])
            try connection.run("UPDATE carts SET version = version + 1 WHERE owner_id = ?", [.text(owner)])
        }
        #expect(try await guest.add("scarf-s", headers: .minimal).summary().totals.items == Money(10_000, .eur))
        #expect(try await guest.cart().lines.map(\.sku) == ["cap", "scarf-m", "scarf-s"])
    }
}

extension Answered<Cart> {
    /// The changed line and the totals, of a request with `minimal`.
    func summary() throws -> CartSummary {
        #expect(status == 200, "\(text)")
        return try CartSummary(json: body)
    }
}

extension Caller {
    fileprivate func ship(to country: String) async throws -> Answered<Cart> {
        let request = ShippingRequest(methodId: "standard", address: AddressInput(.inCountry(country)))
        return try await call(Contract.setCartShipping, request, headers: .minimal)
    }
}
