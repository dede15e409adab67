import Foundation
import PouchEntities

extension ShopAdministration {
    /// - Throws: `DomainError.invalid`, also for products and categories that the shop does not have, and for an end
    ///   that has passed; `.codeTaken`.
    public func addDiscount(_ terms: DiscountTerms, in repositories: any Repositories) throws -> ManagedDiscount {
        let discount = try rules(for: terms, in: repositories).discount(id: environment.ids.make(.discount), terms)
        guard try repositories.discounts.insert(discount, at: environment.time.now) else {
            throw DomainError.codeTaken
        }
        return try repositories.discounts.record(id: discount.id).orNotFound().managed
    }

    /// The version of a discount's terms.
    public func version(of discount: ManagedDiscount) throws -> Int { try environment.version(of: discount.terms) }

    /// Changes a discount. An end that has passed, and products and categories that no longer exist, may stay
    /// unchanged.
    ///
    /// - Parameter ifMatch: the version that must be current; nil for any.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.invalid` (also for a limit below the current uses),
    ///   `.codeTaken`.
    public func updateDiscount(
        id: String, ifMatch: Int? = nil, in repositories: any Repositories,
        _ change: (DiscountTerms) -> DiscountTerms
    ) throws -> (before: ManagedDiscount, after: ManagedDiscount) {
        let old = try repositories.discounts.record(id: id).orNotFound()
        if let ifMatch, try version(of: old.managed) != ifMatch { throw DomainError.versionConflict }
        let stored = DiscountTerms(old.discount)
        let terms = change(stored)
        let discount = try rules(for: terms, replacing: stored, in: repositories).discount(id: id, terms)
        if let limit = discount.limit, limit < old.used {
            throw DomainError.invalid("limit", .outOfRange, "The limit must not be below the \(old.used) uses so far.")
        }
        if let namesake = try repositories.discounts.usage(code: discount.code, ownerId: ""),
            namesake.discount.id != id
        {
            throw DomainError.codeTaken
        }
        guard try repositories.discounts.update(discount) else { throw TransactionConflict() }
        // As stored, since the version depends on each digit of a time.
        return (old.managed, try repositories.discounts.record(id: id).orNotFound().managed)
    }

    /// Deletes a discount; orders that used it do not change.
    ///
    /// - Returns: the deleted discount.
    /// - Throws: `DomainError.notFound`.
    public func deleteDiscount(id: String, in repositories: any Repositories) throws -> ManagedDiscount {
        guard let deleted = try repositories.discounts.record(id: id), try repositories.discounts.delete(id: id) else {
            throw DomainError.notFound
        }
        return deleted.managed
    }

    private func rules(
        for terms: DiscountTerms, replacing stored: DiscountTerms? = nil, in repositories: any Repositories
    ) throws -> DiscountRules {
        let handles = terms.products?.prefix(ModelLimits.discountScope) ?? []
        let products = try repositories.products.handles(among: Array(handles))
        let ids = terms.categories?.prefix(ModelLimits.discountScope) ?? []
        let categories = try ids.filter { try repositories.taxonomy.has(.category, id: $0) }
        return DiscountRules(
            currency: environment.shop.currency, now: environment.time.now, stored: stored,
            products: products.union(stored?.products ?? []),
            categories: Set(categories).union(stored?.categories ?? []))
    }
}

/// The rules for the terms of a discount.
struct DiscountRules {
    let currency: Currency
    let now: Date
    /// The terms to be replaced; nil for a new discount.
    let stored: DiscountTerms?
    /// The allowed product handles.
    let products: Set<String>
    /// The allowed category ids.
    let categories: Set<String>

    /// - Throws: `DomainError.invalid` with all problems.
    func discount(id: String, _ terms: DiscountTerms) throws(DomainError) -> Discount {
        var problems = strayValues(terms) + conditions(terms)
        let code = Discount.normalised(code: terms.code)
        if code == nil {
            let length = ModelLimits.discountCodeLength
            problems.add(
                "code", .invalid,
                "A code must have \(length.lowerBound) to \(length.upperBound) letters, digits, - _ and full stops.")
        }
        let rule = rule(terms, &problems)
        guard problems.isEmpty, let code, let rule else { throw .invalid(problems) }
        return Discount(
            id: id, code: code, rule: rule, startsAt: terms.startsAt, endsAt: terms.endsAt, minimum: terms.minimum,
            products: terms.products, categories: terms.categories, limit: terms.limit,
            limitPerAccount: terms.limitPerAccount)
    }

    /// - Returns: nil when a value is missing or out of range, which is added to the problems.
    private func rule(_ terms: DiscountTerms, _ problems: inout [InvalidField]) -> Discount.Rule? {
        func needed<Value>(_ field: String, _ value: Value?, _ check: (Value) -> [InvalidField]) -> Value? {
            guard let value else {
                problems.add(field, .invalid, "The kind \(terms.kind.rawValue) requires \(field).")
                return nil
            }
            problems += check(value)
            return value
        }
        func number(_ field: String, _ value: Int?, in range: ClosedRange<Int>) -> Int? {
            needed(field, value) { InvalidField.number(field, $0, in: range) }
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
            problems.add("kind", .invalid, "The kind must be one of \(kinds.joined(separator: ", ")).")
            return nil
        }
    }

    /// Values that belong to other kinds of discount.
    private func strayValues(_ terms: DiscountTerms) -> [InvalidField] {
        let values: [(field: String, isGiven: Bool, kind: DiscountTerms.Kind)] = [
            ("basisPoints", terms.basisPoints != nil, .percentage), ("amount", terms.amount != nil, .amount),
            ("buy", terms.buy != nil, .buyXGetY), ("get", terms.get != nil, .buyXGetY),
        ]
        return values.filter { $0.isGiven && $0.kind != terms.kind && terms.kind != .unrecognised }.map {
            InvalidField($0.field, .invalid, "\($0.field) is only for the kind \($0.kind.rawValue).")
        }
    }

    private func conditions(_ terms: DiscountTerms) -> [InvalidField] {
        var problems = terms.minimum?.problems("minimum", currency: currency) ?? []
        problems += times(terms)
        problems += scope("products", of: "product", terms.products, in: products)
        problems += scope("categories", of: "category", terms.categories, in: categories)
        for (field, limit) in [("limit", terms.limit), ("limitPerAccount", terms.limitPerAccount)] {
            if let limit { problems += InvalidField.number(field, limit, in: ModelLimits.discountUses) }
        }
        return problems
    }

    private func times(_ terms: DiscountTerms) -> [InvalidField] {
        let problems = InvalidField.period(startsAt: terms.startsAt, endsAt: terms.endsAt)
        guard problems.isEmpty, terms.endsAt != stored?.endsAt else { return problems }
        return InvalidField.end("endsAt", terms.endsAt, after: now)
    }

    private func scope(_ field: String, of kind: String, _ names: [String]?, in known: Set<String>) -> [InvalidField] {
        guard let names else { return [] }
        guard (1...ModelLimits.discountScope).contains(names.count) else {
            let detail = "\(field) must have from 1 to \(ModelLimits.discountScope) entries."
            return [InvalidField(field, .outOfRange, detail)]
        }
        return names.enumerated().filter { !known.contains($0.element) }.map {
            InvalidField.unknown("\(field).\($0.offset)", kind, $0.element)
        }
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
