import Foundation
import PouchEntities

extension Discount {
    /// What is wrong with a discount that somebody wants to make, in a shop with the given currency.
    public func problems(currency: Currency) -> [InvalidField] {
        var problems: [InvalidField] = []
        func require(_ isRight: Bool, _ field: String, _ reason: InvalidField.Reason, _ detail: String) {
            if !isRight { problems.append(InvalidField(field, reason, detail)) }
        }
        require(
            Self.normalised(code: code) == code, "code", .invalid,
            "A code has 3 to 40 of the characters A-Z, 0-9, hyphen, underscore and full stop.")
        let prices = ModelLimits.price
        func require(amount: Money, _ field: String) {
            require(
                amount.currency == currency && amount.amount > 0 && prices.contains(amount.amount), field, .outOfRange,
                "The amount must be from 1 to \(prices.upperBound) minor units of \(currency.code).")
        }
        switch rule {
        case .percentage(let basisPoints):
            require(
                (1...10_000).contains(basisPoints), "value", .outOfRange,
                "A percentage must be from 1 to 10000 basis points.")
        case .amount(let amount): require(amount: amount, "value")
        case .buyXGetY(let buy, let get):
            let range = ModelLimits.quantity
            require(
                range.contains(buy) && range.contains(get), "value", .outOfRange,
                "The units to buy and to get must be from \(range.lowerBound) to \(range.upperBound).")
        case .freeShipping: break
        }
        if let minimum { require(amount: minimum, "minimum") }
        if let startsAt, let endsAt {
            require(startsAt < endsAt, "endsAt", .outOfRange, "A discount must begin before it ends.")
        }
        for (field, limit) in [("limit", limit), ("limitPerAccount", limitPerAccount)] {
            require(limit ?? 1 >= 1, field, .outOfRange, "The limit must be 1 or more.")
        }
        return problems
    }
}
