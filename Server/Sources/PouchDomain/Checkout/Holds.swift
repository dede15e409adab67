import Foundation
import PouchEntities

/// The stock that pending orders keep from others, until they are paid or given up, or their time is up.
///
/// Whether a hold has expired follows from the clock alone: expired units count as available everywhere, and whoever needs
/// them first, or `ExpiredHolds`, releases the hold.
struct Holds {
    let now: Date
    let repositories: any Repositories

    /// - Throws: `DomainError.outOfStock` with what can be bought of each SKU that falls short; the transaction must not
    ///   be committed then.
    func hold(_ lines: [PricedLine]) throws {
        var missing = lines.map { StockUnits(sku: $0.offer.sku, quantity: $0.quantity) }.inOrder
        missing.remove(try repositories.stock.hold(missing))
        guard !missing.isEmpty else { return }
        try releaseExpired(of: missing)
        missing.remove(try repositories.stock.hold(missing))
        guard !missing.isEmpty else { return }
        let available = Dictionary(
            try repositories.catalog.offers(skus: missing.map(\.sku), at: now).map {
                ($0.offer.sku, $0.offer.available)
            },
            uniquingKeysWith: { first, _ in first })
        throw DomainError.outOfStock(
            missing.map { StockShortfall(sku: $0.sku, available: max(0, available[$0.sku] ?? 0)) })
    }

    /// Takes what the order holds off the stock.
    ///
    /// - Returns: false when others have bought it since the hold expired; nothing is taken then.
    func sell(_ record: OrderRecord) throws -> Bool {
        let units = record.order.units
        guard record.hold.isReleased else {
            try repositories.stock.sell(units)
            return true
        }
        let taken = try repositories.stock.hold(units)
        guard taken.count == units.count else {
            try repositories.stock.release(units.filter { taken.contains($0.sku) })
            return false
        }
        try repositories.stock.sell(units)
        return true
    }

    /// Gives up what the order holds.
    func release(_ record: OrderRecord) throws {
        guard !record.hold.isReleased else { return }
        try repositories.stock.release(record.order.units)
    }

    /// Gives up holds that have expired, but for those that others were first to release.
    func releaseExpired(_ records: [OrderRecord]) throws {
        let released = try records.filter { try repositories.orders.releaseHold(id: $0.order.id) }
        let units = Dictionary(released.flatMap(\.order.units).map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        try repositories.stock.release(units.map { StockUnits(sku: $0.key, quantity: $0.value) }.inOrder)
    }

    private func releaseExpired(of missing: [StockUnits]) throws {
        let skus = Set(missing.map(\.sku))
        try releaseExpired(
            repositories.orders.expiredHolds(at: now).filter { record in
                record.order.lines.contains { skus.contains($0.sku) }
            })
    }
}

extension Order {
    /// What it takes from the stock.
    var units: [StockUnits] {
        lines.map { StockUnits(sku: $0.sku, quantity: $0.quantity) }.inOrder
    }
}

extension [StockUnits] {
    /// In the order of the SKUs.
    fileprivate var inOrder: [StockUnits] { sorted { $0.sku < $1.sku } }

    fileprivate mutating func remove(_ skus: Set<String>) {
        removeAll { skus.contains($0.sku) }
    }
}
