import PouchEntities

/// What a trip costs: something for setting out, and something for each kilometre, more for the greater species.
struct RideTariff: Sendable {
    private let currency: Currency

    init(currency: Currency) {
        self.currency = currency
    }

    /// Rounded up to whole minor units. However short the trip is, a greater species is dearer.
    ///
    /// - Parameter metres: of street, 0 or more.
    func fare(_ species: Species, metres: Int) throws(MoneyError) -> Money {
        let (base, perKilometre) = rates(species)
        let hundredths = Int64(base) + (Int64(perKilometre) * Int64(metres) + 999) / 1_000
        let unit = (0..<currency.exponent).reduce(Int64(1)) { product, _ in product * 10 }
        let (product, overflow) = hundredths.multipliedReportingOverflow(by: unit)
        guard !overflow else { throw .overflow }
        return Money((product + 99) / 100, currency)
    }

    /// In hundredths of a major unit; bases are at least one major unit apart, so that they differ in every currency.
    private func rates(_ species: Species) -> (base: Int, perKilometre: Int) {
        switch species {
        case .wallaby: (250, 110)
        case .wallaroo: (350, 150)
        case .kangaroo: (500, 210)
        }
    }
}
