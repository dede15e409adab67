import Foundation
import PouchJSON

/// The number of units of a SKU that can be bought now, and its price.
public struct Availability: JSONModel, Hashable {
    public enum Status: String, OpenEnum {
        case inStock
        /// At least one and at most `lowStock` units.
        case low
        case soldOut
        /// The shop does not know this SKU.
        case unknown
        case unrecognised
    }

    /// The maximum number of units that counts as low.
    public static let lowStock = 3

    public let sku: String
    /// nil for an unknown SKU.
    public let price: Money?
    public let available: Int
    public let status: Status

    public static let json = JSONObject(
        Availability.init(sku:price:available:status:), .field("sku", \.sku), .field("price", \.price),
        .field("available", \.available), .field("status", \.status))
}

extension Availability {
    /// Creates the availability, with a status derived from the number of units.
    public init(sku: String, price: Money, available: Int) {
        self.init(
            sku: sku, price: price, available: available,
            status: available <= 0 ? .soldOut : available <= Self.lowStock ? .low : .inStock)
    }

    /// Creates the availability of a SKU that the shop does not know.
    public init(unknown sku: String) {
        self.init(sku: sku, price: nil, available: 0, status: .unknown)
    }
}

/// A SKU with fewer units available than requested.
public struct StockShortfall: JSONModel, Hashable {
    public let sku: String
    public let available: Int

    public init(sku: String, available: Int) {
        self.sku = sku
        self.available = available
    }

    public static let json = JSONObject(StockShortfall.init, .field("sku", \.sku), .field("available", \.available))
}

/// A variant for administrators: with its own price, ignoring scheduled prices, and exact stock.
public struct ManagedVariant: JSONModel, Hashable {
    public let sku: String
    public let price: Money
    /// The available units: `onHand` minus `held`.
    public let available: Int
    public let onHand: Int
    /// The units held for orders that are not fulfilled yet.
    public let held: Int

    public init(sku: String, price: Money, available: Int, onHand: Int, held: Int) {
        self.sku = sku
        self.price = price
        self.available = available
        self.onHand = onHand
        self.held = held
    }

    public static let json = JSONObject(
        ManagedVariant.init, .field("sku", \.sku), .field("price", \.price), .field("available", \.available),
        .field("onHand", \.onHand), .field("held", \.held))
}

/// A price of a SKU for a limited time. If several overlap, the one with the latest start applies.
public struct ScheduledPrice: JSONModel, Hashable, Identifiable {
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

    public static let json = JSONObject(
        ScheduledPrice.init, .field("id", \.id), .field("sku", \.sku), .field("price", \.price),
        .field("startsAt", \.startsAt), .field("endsAt", \.endsAt))
}

extension Product {
    /// The product with this availability of its variants, and so with the price of the cheapest. A variant without
    /// data keeps its own; a variant that the shop no longer knows is sold out.
    public func with(_ figures: [Availability]) -> Product {
        let figures = Dictionary(figures.map { ($0.sku, $0) }) { _, last in last }
        var product = self
        for (index, variant) in variants.enumerated() {
            guard let figure = figures[variant.sku] else { continue }
            product.variants[index].price = figure.price ?? variant.price
            product.variants[index].available = figure.available
        }
        product.price = product.variants.map(\.price).min { $0.amount < $1.amount } ?? price
        return product
    }
}
