/// The tax in a territory. Rates are in basis points, 0...10000: 1900 are 19 %.
public struct TaxRegion: Sendable, Equatable {
    /// How shipping is taxed.
    public enum Shipping: Sendable, Equatable {
        case untaxed
        case rate(Int)
        /// Split over the rates of the lines in proportion to what is paid for them, as where it is part of the delivery;
        /// at the standard rate where nothing is paid for them.
        case asItems
    }

    public let territory: Territory
    public let standardRate: Int
    /// By the id of the category, where it is another than the standard rate.
    public let categoryRates: [String: Int]
    public let shipping: Shipping

    public init(
        territory: Territory, standardRate: Int, categoryRates: [String: Int] = [:], shipping: Shipping = .asItems
    ) {
        self.territory = territory
        self.standardRate = standardRate
        self.categoryRates = categoryRates
        self.shipping = shipping
    }

    func rate(categoryId: String) -> Int { categoryRates[categoryId] ?? standardRate }
}
