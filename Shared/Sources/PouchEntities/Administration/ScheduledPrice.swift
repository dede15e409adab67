import Foundation

/// A price that a SKU has for a time. Of several at once, the one that began last holds.
public struct ScheduledPrice: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let sku: String
    public let price: Money
    public let startsAt: Date
    /// The first moment at which it no longer holds.
    public let endsAt: Date

    public init(id: String, sku: String, price: Money, startsAt: Date, endsAt: Date) {
        self.id = id
        self.sku = sku
        self.price = price
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
