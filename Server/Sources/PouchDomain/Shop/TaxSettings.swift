import PouchEntities

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

/// A tax rate from 0 to 100 %, exact to 4 decimal places, such as New York City's 8.875 %. A literal is in basis
/// points: 1900 is 19 %.
public struct TaxRate: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// The rate in millionths: 190 000 is 19 %.
    public let millionths: Int64

    public init(millionths: Int64) {
        self.millionths = millionths
    }

    public init(integerLiteral basisPoints: Int64) {
        millionths = basisPoints * 100
    }

    /// Parses a percentage such as `19` or `8.875`; nil for any other text, more decimal places or a rate above 100 %.
    public init?(percent text: String) {
        guard let millionths = Int64(decimal: text, places: 4), (0...1_000_000).contains(millionths) else { return nil }
        self.millionths = millionths
    }

    /// The percentage without trailing zeros, such as `19` or `8.875`.
    public var percent: String {
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return String(whole) }
        var places = String(10_000 + rest).dropFirst()
        while places.last == "0" { places.removeLast() }
        return "\(whole).\(places)"
    }

    public static func < (one: TaxRate, other: TaxRate) -> Bool { one.millionths < other.millionths }
}

extension TaxRate: Encodable {
    /// Encodes basis points, like servers of earlier versions, which compare their settings with those of this one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let (points, rest) = millionths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { try container.encode(points) } else { try container.encode(percent) }
    }
}
