/// Which tax a shop takes.
public struct TaxSettings: Sendable, Equatable {
    public enum Rounding: String, Sendable, CaseIterable {
        /// The tax of each line is rounded, and that of the shipping.
        case perLine
        /// The tax of each rate is rounded once for the whole order, and then split over the lines and the shipping.
        case perOrder
    }

    /// Whether prices, those of shipping too, contain the tax; otherwise it is added.
    public let pricesIncludeTax: Bool
    public let rounding: Rounding
    /// The one that describes the address most narrowly counts; where none does, there is no tax.
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
