import Foundation
import PouchEntities

/// The body of `schedulePrice`.
public struct ScheduledPriceRequest: Codable, Sendable, Equatable {
    public let sku: String
    public let price: Money
    public let startsAt: Date
    public let endsAt: Date

    public init(sku: String, price: Money, startsAt: Date, endsAt: Date) {
        self.sku = sku
        self.price = price
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
