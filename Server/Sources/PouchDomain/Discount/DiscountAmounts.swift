import PouchEntities

/// The amounts by which a discount reduces an order.
struct DiscountAmounts {
    /// The amount for each line, in order; at most the line's total.
    let lines: [Money]
    var isShippingFree = false
}

extension Discount {
    /// The amounts without a discount.
    static func nothing(off lines: [PricedLine], currency: Currency) -> DiscountAmounts {
        DiscountAmounts(lines: lines.map { _ in .zero(currency) })
    }

    /// - Throws: `MoneyError`, also when the discount has another currency than the lines.
    func amounts(off lines: [PricedLine], currency: Currency) throws(MoneyError) -> DiscountAmounts {
        let nothing = Self.nothing(off: lines, currency: currency)
        let eligible = eligibleLines(lines)
        let weights = zip(lines, eligible).map { $1 ? $0.total.amount : 0 }
        let sum = try Money.sum(zip(lines, eligible).lazy.filter(\.1).map(\.0.total), in: currency)
        if let minimum, try sum.subtracting(minimum).amount < 0 { return nothing }
        switch rule {
        case .freeShipping:
            return DiscountAmounts(lines: nothing.lines, isShippingFree: eligible.contains(true))
        case .buyXGetY(let buy, let get):
            return DiscountAmounts(lines: try freeUnits(of: lines, eligible: eligible, buy: buy, get: get))
        case .percentage(let basisPoints):
            guard sum.amount > 0 else { return nothing }
            let off = try sum.share(Int64(basisPoints), of: 10_000)
            return DiscountAmounts(lines: off.allocated(by: weights))
        case .amount(let amount):
            guard sum.amount > 0 else { return nothing }
            let off = try sum.subtracting(amount).amount < 0 ? sum : amount
            return DiscountAmounts(lines: off.allocated(by: weights))
        }
    }

    private func eligibleLines(_ lines: [PricedLine]) -> [Bool] {
        guard products != nil || categories != nil else { return lines.map { _ in true } }
        let (products, categories) = (Set(products ?? []), Set(categories ?? []))
        return lines.map { products.contains($0.offer.productHandle) || categories.contains($0.offer.categoryId) }
    }

    /// The free units of each line, as amounts. The units form a row, highest price first; how many of a line are free
    /// depends on its start and end in the row, without visiting each unit.
    private func freeUnits(of lines: [PricedLine], eligible: [Bool], buy: Int, get: Int) throws(MoneyError) -> [Money] {
        let row = lines.indices.filter { eligible[$0] }.sorted {
            let (left, right) = (lines[$0].offer.price.amount, lines[$1].offer.price.amount)
            return left == right ? $0 < $1 : left > right
        }
        let group = buy + get
        let grouped = row.reduce(0) { $0 + lines[$1].quantity } / group * group
        func free(before position: Int) -> Int {
            let (groups, rest) = min(position, grouped).quotientAndRemainder(dividingBy: group)
            return groups * get + max(0, rest - buy)
        }
        var amounts = lines.map { Money.zero($0.offer.price.currency) }
        var position = 0
        for index in row {
            let end = position + lines[index].quantity
            amounts[index] = try lines[index].offer.price.multiplied(by: free(before: end) - free(before: position))
            position = end
        }
        return amounts
    }
}
