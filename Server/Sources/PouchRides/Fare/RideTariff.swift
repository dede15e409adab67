import PouchDomain
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
        let (way, isTooLong) = Int64(perKilometre).multipliedReportingOverflow(by: Int64(metres))
        let unit = (0..<currency.exponent).reduce(Int64(1)) { product, _ in product * 10 }
        let (amount, overflow) = (Int64(base) + way.dividedUp(by: 1_000)).multipliedReportingOverflow(by: unit)
        guard !isTooLong, !overflow else { throw .overflow }
        return Money(amount.dividedUp(by: 100), currency)
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

extension Int64 {
    fileprivate func dividedUp(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
