import Foundation

/// The units of a SKU that can be bought now, and its price.
public struct Availability: Codable, Sendable, Hashable {
    public enum Status: String, OpenEnum {
        case inStock
        /// At least one and at most `lowStock` units.
        case low
        case soldOut
        /// The shop does not know this SKU.
        case unknown
        case unrecognised
    }

    /// The largest number of units that counts as low.
    public static let lowStock = 3

    public let sku: String
    /// nil for an unknown SKU.
    public let price: Money?
    public let available: Int
    public let status: Status

    /// Derives the status from the number of units.
    public init(sku: String, price: Money, available: Int) {
        self.sku = sku
        self.price = price
        self.available = available
        self.status = available <= 0 ? .soldOut : available <= Self.lowStock ? .low : .inStock
    }

    /// The availability of a SKU that the shop does not know.
    public init(unknown sku: String) {
        self.sku = sku
        price = nil
        available = 0
        status = .unknown
    }
}

/// A SKU with fewer units available than requested.
public struct StockShortfall: Codable, Sendable, Hashable {
    public let sku: String
    public let available: Int

    public init(sku: String, available: Int) {
        self.sku = sku
        self.available = available
    }
}

/// A variant as administrators see it: with its own price, ignoring scheduled prices, and exact stock.
public struct ManagedVariant: Codable, Sendable, Hashable {
    public let sku: String
    public let price: Money
    /// Units that can be bought: `onHand` minus `held`.
    public let available: Int
    public let onHand: Int
    /// Units held for orders that are not fulfilled yet.
    public let held: Int

    public init(sku: String, price: Money, available: Int, onHand: Int, held: Int) {
        self.sku = sku
        self.price = price
        self.available = available
        self.onHand = onHand
        self.held = held
    }
}

/// A price of a SKU for a limited time. If several overlap, the one with the latest start applies.
public struct ScheduledPrice: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let sku: String
    public let price: Money
    public let startsAt: Date
    /// The first moment at which the price no longer applies.
    public let endsAt: Date

    public init(id: String, sku: String, price: Money, startsAt: Date, endsAt: Date) {
        self.id = id
        self.sku = sku
        self.price = price
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
