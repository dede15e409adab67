import Foundation
import PouchEntities

extension ShopAdministration {
    /// Adds a price that holds for a period.
    ///
    /// - Throws: `DomainError.invalid`, `.unknownSKU`.
    public func schedulePrice(
        sku: String, price: Money, startsAt: Date, endsAt: Date, in repositories: any Repositories
    ) throws -> ScheduledPrice {
        let problems =
            price.problems("price", currency: environment.shop.currency)
            + InvalidField.period(startsAt: startsAt, endsAt: endsAt)
        try problems.check()
        guard try repositories.variants.variant(sku: sku) != nil else { throw DomainError.unknownSKU(sku) }
        let scheduled = ScheduledPrice(
            id: environment.ids.make(.scheduledPrice), sku: sku, price: price, startsAt: startsAt, endsAt: endsAt)
        try repositories.scheduledPrices.insert(scheduled, at: environment.time.now)
        try repositories.catalog.raiseVersion()
        return scheduled
    }

    /// - Returns: the deleted price.
    /// - Throws: `DomainError.notFound`.
    public func deleteScheduledPrice(id: String, in repositories: any Repositories) throws -> ScheduledPrice {
        guard let deleted = try repositories.scheduledPrices.delete(id: id) else { throw DomainError.notFound }
        try repositories.catalog.raiseVersion()
        return deleted
    }
}

public protocol ScheduledPriceRepository {
    /// The latest first, of one SKU or all, after the one with the id.
    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice]
    func insert(_ price: ScheduledPrice, at: Date) throws
    /// - Returns: the deleted price; nil when there is none.
    func delete(id: String) throws -> ScheduledPrice?
}

extension Identifier.Kind {
    public static let scheduledPrice = Self("scp_")
}
