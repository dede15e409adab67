import Foundation
import PouchEntities

/// What the terms of a discount must be like.
struct DiscountRules {
    /// The shop's.
    let currency: Currency

    /// - Throws: `DomainError.invalid`, with everything that is wrong.
    func discount(id: String, _ terms: DiscountTerms) throws(DomainError) -> Discount {
        var problems = strayValues(terms) + conditions(terms)
        let code = Discount.normalised(code: terms.code)
        if code == nil {
            let length = ModelLimits.discountCodeLength
            problems.append(
                InvalidField(
                    "code", .invalid,
                    "A code has \(length.lowerBound) to \(length.upperBound) letters, digits, and - _ . among them."))
        }
        let rule = rule(terms, &problems)
        guard problems.isEmpty, let code, let rule else { throw .invalid(problems) }
        return Discount(
            id: id, code: code, rule: rule, startsAt: terms.startsAt, endsAt: terms.endsAt, minimum: terms.minimum,
            products: terms.products, categories: terms.categories, limit: terms.limit,
            limitPerAccount: terms.limitPerAccount)
    }

    /// - Returns: nil where a value is missing, which is then among the problems, as is one out of range.
    private func rule(_ terms: DiscountTerms, _ problems: inout [InvalidField]) -> Discount.Rule? {
        func needed<Value>(_ field: String, _ value: Value?, _ check: (Value) -> [InvalidField]) -> Value? {
            guard let value else {
                problems.append(InvalidField(field, .invalid, "The kind \(terms.kind.rawValue) needs \(field)."))
                return nil
            }
            problems += check(value)
            return value
        }
        func number(_ field: String, _ value: Int?, in range: ClosedRange<Int>) -> Int? {
            needed(field, value) { self.number(field, $0, in: range) }
        }
        switch terms.kind {
        case .percentage:
            return number("basisPoints", terms.basisPoints, in: ModelLimits.discountBasisPoints)
                .map(Discount.Rule.percentage)
        case .amount:
            return needed("amount", terms.amount) { $0.problems("amount", currency: currency, from: 1) }
                .map(Discount.Rule.amount)
        case .buyXGetY:
            let buy = number("buy", terms.buy, in: ModelLimits.quantity)
            let get = number("get", terms.get, in: ModelLimits.quantity)
            guard let buy, let get else { return nil }
            return .buyXGetY(buy: buy, get: get)
        case .freeShipping:
            return .freeShipping
        case .unrecognised:
            let kinds = DiscountTerms.Kind.allCases.filter { $0 != .unrecognised }.map(\.rawValue)
            problems.append(
                InvalidField("kind", .invalid, "The kind must be one of \(kinds.joined(separator: ", "))."))
            return nil
        }
    }

    /// Values of other kinds than the one that is named.
    private func strayValues(_ terms: DiscountTerms) -> [InvalidField] {
        let values: [(field: String, isGiven: Bool, kind: DiscountTerms.Kind)] = [
            ("basisPoints", terms.basisPoints != nil, .percentage), ("amount", terms.amount != nil, .amount),
            ("buy", terms.buy != nil, .buyXGetY), ("get", terms.get != nil, .buyXGetY),
        ]
        return values.filter { $0.isGiven && $0.kind != terms.kind && terms.kind != .unrecognised }.map {
            InvalidField($0.field, .invalid, "\($0.field) belongs to the kind \($0.kind.rawValue).")
        }
    }

    private func conditions(_ terms: DiscountTerms) -> [InvalidField] {
        var problems = terms.minimum?.problems("minimum", currency: currency) ?? []
        problems += InvalidField.period(startsAt: terms.startsAt, endsAt: terms.endsAt)
        problems += scope("products", terms.products) + scope("categories", terms.categories)
        if let limit = terms.limit { problems += number("limit", limit, in: ModelLimits.discountUses) }
        if let limit = terms.limitPerAccount {
            problems += number("limitPerAccount", limit, in: ModelLimits.discountUses)
        }
        return problems
    }

    private func number(_ field: String, _ value: Int, in range: ClosedRange<Int>) -> [InvalidField] {
        guard !range.contains(value) else { return [] }
        return [
            InvalidField(field, .outOfRange, "\(field) must be from \(range.lowerBound) to \(range.upperBound).")
        ]
    }

    /// Names need not be there yet: the next import may bring them.
    private func scope(_ field: String, _ names: [String]?) -> [InvalidField] {
        guard let names else { return [] }
        guard (1...ModelLimits.discountScope).contains(names.count) else {
            return [
                InvalidField(field, .outOfRange, "\(field) may name from 1 to \(ModelLimits.discountScope).")
            ]
        }
        return names.enumerated().filter {
            !ModelLimits.textLength.contains($0.element.unicodeScalars.count) || $0.element.contains("\0")
        }.map { InvalidField("\(field).\($0.offset)", .invalid, "This names nothing.") }
    }
}

extension DiscountTerms {
    init(_ discount: Discount) {
        self.init(
            code: discount.code, kind: .freeShipping, startsAt: discount.startsAt, endsAt: discount.endsAt,
            minimum: discount.minimum, products: discount.products, categories: discount.categories,
            limit: discount.limit, limitPerAccount: discount.limitPerAccount)
        switch discount.rule {
        case .percentage(let basisPoints): (kind, self.basisPoints) = (.percentage, basisPoints)
        case .amount(let amount): (kind, self.amount) = (.amount, amount)
        case .buyXGetY(let buy, let get): (kind, self.buy, self.get) = (.buyXGetY, buy, get)
        case .freeShipping: kind = .freeShipping
        }
    }
}
