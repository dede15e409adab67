import Foundation
import PouchEntities

/// Adds and deletes prices that hold for a period.
public struct PriceScheduleService: Sendable {
    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// The latest first, of one SKU or all.
    ///
    /// - Parameter id: the last one of the previous page.
    public func prices(
        sku: String?, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [ScheduledPrice], hasMore: Bool) {
        let found = try repositories.scheduledPrices.prices(sku: sku, after: id, limit: limit + 1)
        return (Array(found.prefix(limit)), found.count > limit)
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`.
    public func add(
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

    /// - Throws: `DomainError.notFound`.
    public func delete(id: String, in repositories: any Repositories) throws {
        guard try repositories.scheduledPrices.delete(id: id) else { throw DomainError.notFound }
        try repositories.catalog.raiseVersion()
    }
}

public protocol ScheduledPriceRepository {
    /// The latest first, of one SKU or all, after the one with the id.
    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice]
    func insert(_ price: ScheduledPrice, at: Date) throws
    /// - Returns: false when there is none.
    func delete(id: String) throws -> Bool
}

extension Identifier.Kind {
    public static let scheduledPrice = Self("scp_")
}
