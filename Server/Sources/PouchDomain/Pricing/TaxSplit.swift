import PouchEntities

/// The tax of an order, line by line. The parts add up to the total with either rounding.
struct TaxSplit {
    let lines: [Money]
    let shipping: Money
    let total: Money

    /// An amount with its tax rate.
    private struct Taxable {
        let amount: Money
        let rate: TaxRate
    }

    /// - Parameters:
    ///   - paid: the amount paid for each line.
    ///   - shipping: the amount paid for shipping.
    ///   - region: nil if there are no taxes.
    init(
        lines: [PricedLine], paid: [Money], shipping: Money, region: TaxRegion?, settings: TaxSettings
    ) throws(MoneyError) {
        let zero = Money.zero(shipping.currency)
        guard let region else {
            self.lines = paid.map { _ in zero }
            self.shipping = zero
            total = zero
            return
        }
        let goods = zip(lines, paid).map { Taxable(amount: $1, rate: region.rate(categoryId: $0.offer.categoryId)) }
        let parcels = try Self.parcels(of: shipping, with: goods, region: region)
        let taxes = try Self.taxes(on: goods + parcels, settings: settings)
        self.lines = Array(taxes.prefix(goods.count))
        self.shipping = try Money.sum(taxes.dropFirst(goods.count), in: shipping.currency)
        total = try Money.sum(taxes, in: shipping.currency)
    }

    /// The tax of lines of which only the sums are known: the same total as from the lines themselves.
    ///
    /// - Parameter goods: the amounts paid, each with the tax of its lines, which is used if each line is rounded.
    static func total(
        of goods: [(amount: Money, rate: TaxRate, tax: Money)], shipping: Money, region: TaxRegion,
        settings: TaxSettings
    ) throws(MoneyError) -> Money {
        var taxables: [Taxable] = []
        for part in goods { taxables.append(Taxable(amount: part.amount, rate: part.rate)) }
        let parcels = try parcels(of: shipping, with: taxables, region: region)
        switch settings.rounding {
        case .perLine:
            let tax = try Money.sum(goods.lazy.map(\.tax), in: shipping.currency)
            return try tax.adding(Money.sum(taxes(on: parcels, settings: settings), in: shipping.currency))
        case .perOrder:
            return try Money.sum(taxes(on: taxables + parcels, settings: settings), in: shipping.currency)
        }
    }

    /// The shipping, split by its tax rates.
    private static func parcels(
        of shipping: Money, with goods: [Taxable], region: TaxRegion
    ) throws(MoneyError) -> [Taxable] {
        switch region.shipping {
        case .untaxed: return []
        case .rate(let rate): return [Taxable(amount: shipping, rate: rate)]
        case .asItems:
            let sums = try byRate(goods).filter { $0.sum.amount > 0 }
            guard !sums.isEmpty else { return [Taxable(amount: shipping, rate: region.standardRate)] }
            return zip(sums, shipping.allocated(by: sums.map(\.sum.amount))).map { Taxable(amount: $1, rate: $0.rate) }
        }
    }

    private static func taxes(on taxables: [Taxable], settings: TaxSettings) throws(MoneyError) -> [Money] {
        switch settings.rounding {
        case .perLine:
            var taxes: [Money] = []
            taxes.reserveCapacity(taxables.count)
            for taxable in taxables { taxes.append(try tax(on: taxable.amount, rate: taxable.rate, settings)) }
            return taxes
        case .perOrder:
            var taxes = taxables.map { Money.zero($0.amount.currency) }
            for (rate, sum, indices) in try byRate(taxables) {
                let parts = try tax(on: sum, rate: rate, settings).allocated(
                    by: indices.map { taxables[$0].amount.amount })
                for (index, part) in zip(indices, parts) { taxes[index] = part }
            }
            return taxes
        }
    }

    static func tax(on amount: Money, rate: TaxRate, _ settings: TaxSettings) throws(MoneyError) -> Money {
        try amount.share(rate.millionths, of: settings.pricesIncludeTax ? 1_000_000 + rate.millionths : 1_000_000)
    }

    /// Groups by rate, in the order of the rates, so that the split of the shipping does not depend on that of the
    /// lines.
    private static func byRate(
        _ taxables: [Taxable]
    ) throws(MoneyError) -> [(rate: TaxRate, sum: Money, indices: [Int])] {
        var groups: [(rate: TaxRate, sum: Money, indices: [Int])] = []
        var positions: [TaxRate: Int] = [:]
        for (index, taxable) in taxables.enumerated() {
            if let position = positions[taxable.rate] {
                groups[position].sum = try groups[position].sum.adding(taxable.amount)
                groups[position].indices.append(index)
            } else {
                positions[taxable.rate] = groups.count
                groups.append((taxable.rate, taxable.amount, [index]))
            }
        }
        groups.sort { $0.rate < $1.rate }
        return groups
    }
}
