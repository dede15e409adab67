/// The taxes of a shop.
public struct TaxSettings: Sendable, Equatable, Encodable {
    public enum Rounding: String, Sendable, CaseIterable, Encodable {
        /// Rounds the tax of each line, and of the shipping.
        case perLine
        /// Rounds the tax of each rate once for the whole order, then splits it over the lines and the shipping.
        case perOrder
    }

    /// Whether prices, including shipping, include the tax; otherwise it is added. Buyers in no region pay the prices
    /// without the tax of the shop's own country.
    public let pricesIncludeTax: Bool
    public let rounding: Rounding
    /// The tax regions. The most specific one for the address applies; if there is none, there is no tax.
    public let regions: [TaxRegion]

    public init(pricesIncludeTax: Bool, rounding: Rounding, regions: [TaxRegion]) {
        self.pricesIncludeTax = pricesIncludeTax
        self.rounding = rounding
        self.regions = regions
    }

    func region(for place: Destination) -> TaxRegion? {
        regions.mostSpecific(for: place) { [$0.territory] }
    }
}

/// The tax of a territory.
public struct TaxRegion: Sendable, Equatable, Encodable {
    /// The taxation of shipping.
    public enum Shipping: Sendable, Equatable, Encodable {
        case untaxed
        case rate(TaxRate)
        /// Splits the shipping over the rates of the lines in proportion to the amounts paid for them, or uses the
        /// standard rate if nothing is paid for them.
        case asItems
    }

    public let territory: Territory
    public let standardRate: TaxRate
    /// The rates by category id that differ from the standard rate.
    public let categoryRates: [String: TaxRate]
    public let shipping: Shipping

    public init(
        territory: Territory, standardRate: TaxRate, categoryRates: [String: TaxRate] = [:],
        shipping: Shipping = .asItems
    ) {
        self.territory = territory
        self.standardRate = standardRate
        self.categoryRates = categoryRates
        self.shipping = shipping
    }

    func rate(categoryId: String) -> TaxRate { categoryRates[categoryId] ?? standardRate }
}
