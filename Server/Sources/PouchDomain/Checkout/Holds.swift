import Foundation
import PouchEntities
import PouchJSON

/// The stock that pending orders hold until they are paid or fail, or the hold expires.
///
/// Whether a hold has expired depends only on the clock: expired units count as available everywhere. The hold is
/// released by the first transaction that needs its units, or by `ExpiredHolds`.
struct Holds {
    let now: Date
    let repositories: any Repositories

    /// - Throws: `DomainError.outOfStock` with the available units of each SKU that is short; the transaction must then
    ///   be rolled back.
    func hold(_ lines: [PricedLine], events: EventLog) throws {
        var missing = lines.map { StockUnits(sku: $0.offer.sku, quantity: $0.quantity) }.inOrder
        var left = try repositories.stock.hold(missing)
        missing.remove(left)
        if !missing.isEmpty {
            // Tries again in either case: another transaction may just have released the expired holds.
            let expired = try repositories.orders.releaseExpiredHolds(of: missing.map(\.sku), at: now)
            try repositories.stock.release(expired)
            let found = try repositories.stock.hold(missing)
            left.merge(found) { _, new in new }
            missing.remove(found)
        }
        guard missing.isEmpty else {
            let available = try repositories.catalog.offers(skus: missing.map(\.sku), at: now).byKey {
                ($0.offer.sku, $0.offer.available)
            }
            throw DomainError.outOfStock(
                missing.map { StockShortfall(sku: $0.sku, available: max(0, available[$0.sku] ?? 0)) })
        }
        for line in lines {
            guard let after = left[line.offer.sku] else { continue }
            try events.append(
                stockOf: line.offer.sku, price: line.offer.price, before: after + line.quantity, after: after,
                in: repositories)
        }
    }

    /// Removes the units of an order from the stock.
    ///
    /// - Returns: false, without removing any, when other buyers have bought units since the hold expired.
    func sell(_ record: OrderRecord) throws -> Bool {
        let units = record.order.units
        guard record.hold.isReleased else {
            try repositories.stock.sell(units)
            return true
        }
        let taken = try repositories.stock.hold(units)
        guard taken.count == units.count else {
            try repositories.stock.release(units.filter { taken[$0.sku] != nil })
            return false
        }
        try repositories.stock.sell(units)
        return true
    }

    /// Releases the units of an order.
    func release(_ record: OrderRecord) throws {
        guard !record.hold.isReleased else { return }
        try repositories.stock.release(record.order.units)
    }
}

extension Order {
    /// The units that the order removes from the stock.
    var units: [StockUnits] {
        lines.map { StockUnits(sku: $0.sku, quantity: $0.quantity) }.inOrder
    }
}

extension [StockUnits] {
    /// The units in the order of the SKUs.
    fileprivate var inOrder: [StockUnits] { sorted { $0.sku < $1.sku } }

    fileprivate mutating func remove(_ held: [String: Int]) {
        removeAll { held[$0.sku] != nil }
    }
}

/// Releases expired holds, so that transactions that search for them find few, even while their orders wait for a
/// payment provider that the shop no longer uses. Nothing depends on when it runs: see `Holds`.
public struct ExpiredHolds: Sendable {
    /// The maximum number of orders in one transaction.
    private static let batch = 50

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// The time at which the next hold expires; nil without holds.
    public func nextDue(in repositories: any Repositories) throws -> Date? {
        try repositories.orders.nextHoldExpiry()
    }

    /// Releases all holds that have expired, in short transactions.
    public func release() async throws {
        try await environment.store.writeInParts(.readCommitted, releaseSome)
    }

    /// - Returns: whether there may be more.
    @Sendable private func releaseSome(in repositories: any Repositories) throws -> Bool {
        let now = environment.time.now
        let (units, orders) = try repositories.orders.releaseExpiredHolds(at: now, limit: Self.batch)
        try repositories.stock.release(units)
        return orders == Self.batch
    }
}

/// Units on hand and held, by SKU. Every method is one conditional statement for any number of distinct SKUs; none can
/// make a number negative.
public protocol StockRepository {
    /// Holds units of the SKUs that have enough available, and returns how many of each remain available, by SKU.
    func hold(_ units: [StockUnits]) throws -> [String: Int]
    /// Releases held units.
    func release(_ units: [StockUnits]) throws
    /// Permanently removes held units from the stock.
    func sell(_ units: [StockUnits]) throws
    /// Puts sold units back.
    func putBack(_ units: [StockUnits]) throws

    /// The units by SKU in expired holds of pending orders: others may buy them, although they still count as held.
    func expiredHolds(at: Date) throws -> [String: Int]
}

/// A number of units of a SKU.
public struct StockUnits: Sendable, Equatable {
    public let sku: String
    public let quantity: Int

    public init(sku: String, quantity: Int) {
        self.sku = sku
        self.quantity = quantity
    }
}

extension StockUnits: JSONModel {
    public static let json = JSONObject(StockUnits.init, .field("sku", \.sku), .field("quantity", \.quantity))
}
