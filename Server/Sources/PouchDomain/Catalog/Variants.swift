import Foundation
import PouchEntities

extension ShopAdministration {
    /// Changes price and stock of a variant. Exact even with sales and concurrent changes, in a transaction of either
    /// isolation.
    ///
    /// - Parameters:
    ///   - available: the new number of available units.
    ///   - adjust: the number to add to the units on hand; not together with `available`.
    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.stockNegative`.
    public func updateVariant(
        sku: String, price: Money?, available: Int?, adjust: Int?, in repositories: any Repositories
    ) throws -> (before: ManagedVariant, after: ManagedVariant) {
        try problems(price: price, available: available, adjust: adjust).check()
        let variants = repositories.variants
        func current(locking: Bool = false) throws -> ManagedVariant {
            guard let variant = try variants.variant(sku: sku, locking: locking) else {
                throw DomainError.unknownSKU(sku)
            }
            return variant
        }
        let before = try current(locking: true)
        if let price, try variants.setPrice(sku: sku, price) {
            try repositories.catalog.raiseVersion(changing: .ofVariant(sku: sku))
        }
        if let available { try variants.setAvailable(sku: sku, available) }
        if let adjust, try !variants.adjust(sku: sku, by: adjust) {
            throw DomainError.stockNegative(available: try current().available)
        }
        let after = try current()
        try environment.events.append(
            stockOf: sku, price: after.price, before: before.available, after: after.available, in: repositories)
        return (before, after)
    }

    private func problems(price: Money?, available: Int?, adjust: Int?) -> [InvalidField] {
        var problems = price?.problems("price", currency: environment.shop.currency) ?? []
        let most = ModelLimits.stock.upperBound
        if let available { problems += InvalidField.number("available", available, in: ModelLimits.stock) }
        if let adjust { problems += InvalidField.number("adjust", adjust, in: -most...most) }
        if available != nil, adjust != nil {
            problems.add("adjust", .invalid, "Send either available or adjust, not both.")
        }
        return problems
    }
}

/// Single variants, changed by administrators. Every change is one conditional statement.
public protocol VariantRepository {
    /// - Parameter locking: whether its stock stays as it is until the transaction ends.
    func variant(sku: String, locking: Bool) throws -> ManagedVariant?
    /// - Returns: false when the SKU is unknown or already has that price.
    func setPrice(sku: String, _ price: Money) throws -> Bool
    /// Sets the number of available units, in addition to those that are held.
    func setAvailable(sku: String, _ units: Int) throws
    /// Adds to the units on hand, or subtracts from them.
    ///
    /// - Returns: false, without a change, when fewer units would remain than are held.
    func adjust(sku: String, by units: Int) throws -> Bool
}

// MARK: - Scheduled prices

extension ShopAdministration {
    /// Adds a price for a period.
    ///
    /// - Throws: `DomainError.invalid`, `.unknownSKU`.
    public func schedulePrice(
        sku: String, price: Money, startsAt: Date, endsAt: Date, in repositories: any Repositories
    ) throws -> ScheduledPrice {
        let problems =
            price.problems("price", currency: environment.shop.currency)
            + InvalidField.period(startsAt: startsAt, endsAt: endsAt)
        try problems.check()
        guard try repositories.variants.variant(sku: sku, locking: false) != nil else {
            throw DomainError.unknownSKU(sku)
        }
        let scheduled = ScheduledPrice(
            id: environment.ids.make(.scheduledPrice), sku: sku, price: price, startsAt: startsAt, endsAt: endsAt)
        try repositories.scheduledPrices.insert(scheduled, at: environment.time.now)
        try repositories.catalog.raiseVersion(changing: .ofVariant(sku: sku))
        return scheduled
    }

    /// - Returns: the deleted price.
    /// - Throws: `DomainError.notFound`.
    public func deleteScheduledPrice(id: String, in repositories: any Repositories) throws -> ScheduledPrice {
        let deleted = try repositories.scheduledPrices.delete(id: id).orNotFound()
        try repositories.catalog.raiseVersion(changing: .ofVariant(sku: deleted.sku))
        return deleted
    }
}

public protocol ScheduledPriceRepository {
    /// The prices, latest first, of one SKU or all, after the one with the id.
    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice]
    func insert(_ price: ScheduledPrice, at: Date) throws
    /// - Returns: the deleted price; nil when there is none.
    func delete(id: String) throws -> ScheduledPrice?
}
