import Foundation
import PouchEntities

/// The stored head of a cart; its lines are stored separately.
public struct CartRecord: Sendable, Equatable {
    public let ownerId: String
    /// The number of writes; 0 for a cart that was never written.
    public var version: Int
    public var shippingMethodId: String?
    public var shippingAddress: Address?
    public var discountCode: String?
    public var changes: [CartChange]
    public var updatedAt: Date

    public init(
        ownerId: String, version: Int, shippingMethodId: String? = nil, shippingAddress: Address? = nil,
        discountCode: String? = nil, changes: [CartChange] = [], updatedAt: Date
    ) {
        self.ownerId = ownerId
        self.version = version
        self.shippingMethodId = shippingMethodId
        self.shippingAddress = shippingAddress
        self.discountCode = discountCode
        self.changes = changes
        self.updatedAt = updatedAt
    }

    /// Derived from the owner, who has one cart.
    public var id: String { "crt_" + ownerId.dropFirst(4) }

    mutating func clear() {
        shippingMethodId = nil
        shippingAddress = nil
        discountCode = nil
        changes = []
    }
}

public protocol CartRepository {
    /// nil when the owner has never written to the cart.
    func cart(ownerId: String) throws -> CartRecord?
    /// Writes the head if the stored version is the previous one.
    ///
    /// - Returns: false when it is another; nothing is written then.
    func save(_ cart: CartRecord) throws -> Bool
    func delete(ownerId: String) throws

    /// The lines with price and stock at a time, in the order in which they were added.
    func lines(ownerId: String, at: Date) throws -> [PricedLine]
    /// The descriptions of the lines, by SKU.
    func descriptions(ownerId: String) throws -> [String: OfferDescription]
    /// Changes the line, or adds it after the others.
    func setLine(ownerId: String, sku: String, quantity: Int, seenPrice: Money) throws
    /// Adds units to those of the cart, up to the largest quantity of a line. Leaves out and returns the lines beyond
    /// the largest number of lines, the last first.
    func putBack(ownerId: String, _ lines: [CartUnits]) throws -> [CartUnits]
    /// Stores the prices, by SKU, as those that the owner has seen.
    func acknowledge(ownerId: String, _ prices: [String: Money]) throws
    func removeLine(ownerId: String, sku: String) throws
    /// - Returns: the removed lines, in the order in which they were added.
    @discardableResult
    func removeLines(ownerId: String) throws -> [CartUnits]
}

extension CartRepository {
    /// The stored head, or a new one at version 0.
    func record(ownerId: String, at now: Date) throws -> CartRecord {
        try cart(ownerId: ownerId) ?? CartRecord(ownerId: ownerId, version: 0, updatedAt: now)
    }

    /// Writes the head under its next version.
    func save(_ record: inout CartRecord, at now: Date) throws {
        record.version += 1
        record.updatedAt = now
        guard try save(record) else { throw TransactionConflict() }
    }
}

/// A stored line of a cart.
public struct CartUnits: Sendable, Equatable {
    public let sku: String
    public let quantity: Int
    /// The unit price that the owner has seen.
    public let seenPrice: Money

    public init(sku: String, quantity: Int, seenPrice: Money) {
        self.sku = sku
        self.quantity = quantity
        self.seenPrice = seenPrice
    }
}

/// A cart with current prices.
public struct PricedCart: Sendable {
    let record: CartRecord
    let order: PricedOrder
    let discount: CartDiscount?
    let shipping: Shipping?
    /// By SKU; of all lines if the whole cart was requested.
    let descriptions: [String: OfferDescription]

    public var version: Int { record.version }

    public var cart: Cart {
        Cart(
            id: record.id,
            version: record.version,
            lines: order.cartLines(descriptions),
            discount: discount,
            shipping: shipping,
            totals: order.totals,
            changes: record.changes + order.lines.compactMap(\.line.priceChange),
            updatedAt: record.updatedAt
        )
    }

    /// The `return=minimal` body, for a client that has the previous cart, with the changed line.
    public func summary(changed sku: String?) -> CartSummary {
        let line = order.lines.first { $0.line.offer.sku == sku }
        return CartSummary(
            id: record.id, version: record.version,
            line: line.flatMap { line in descriptions[line.line.offer.sku].map(line.cartLine) },
            totals: order.totals)
    }
}
