import PouchEntities

/// Keeps the discount codes of the shop.
public struct DiscountService: Sendable {
    private let environment: DomainEnvironment
    private let rules: DiscountRules

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        rules = DiscountRules(currency: environment.shop.currency)
    }

    /// The latest first.
    ///
    /// - Parameter id: the last one of the page before.
    public func discounts(
        after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [ManagedDiscount], hasMore: Bool) {
        let found = try repositories.discounts.discounts(after: id, limit: limit + 1)
        return (found.prefix(limit).map(\.managed), found.count > limit)
    }

    /// - Throws: `DomainError.invalid`, `.codeTaken`.
    public func add(_ terms: DiscountTerms, in repositories: any Repositories) throws -> ManagedDiscount {
        let discount = try rules.discount(id: environment.ids.make(.discount), terms)
        guard try repositories.discounts.insert(discount, at: environment.time.now) else {
            throw DomainError.codeTaken
        }
        return DiscountRecord(discount: discount, used: 0).managed
    }

    /// - Throws: `DomainError.notFound`, `.invalid`, also for a limit below the uses so far, `.codeTaken`.
    public func update(
        id: String, in repositories: any Repositories, _ change: (DiscountTerms) -> DiscountTerms
    ) throws -> ManagedDiscount {
        guard let old = try repositories.discounts.record(id: id) else { throw DomainError.notFound }
        let discount = try rules.discount(id: id, change(DiscountTerms(old.discount)))
        if let limit = discount.limit, limit < old.used {
            throw DomainError.invalid([
                InvalidField("limit", .outOfRange, "It was used \(old.used) times already.")
            ])
        }
        if let namesake = try repositories.discounts.usage(code: discount.code, ownerId: ""),
            namesake.discount.id != id
        {
            throw DomainError.codeTaken
        }
        guard try repositories.discounts.update(discount) else { throw TransactionConflict() }
        return DiscountRecord(discount: discount, used: old.used).managed
    }

    /// Orders that used it stay as they are.
    ///
    /// - Throws: `DomainError.notFound`.
    public func delete(id: String, in repositories: any Repositories) throws {
        guard try repositories.discounts.delete(id: id) else { throw DomainError.notFound }
    }
}
