/// How many units of a SKU can be bought now, and at what price.
public struct Availability: Codable, Sendable, Hashable {
    public enum Status: String, OpenEnum {
        case inStock
        /// At most `lowStock` units.
        case low
        case soldOut
        /// The shop does not know this SKU.
        case unknown
        case unrecognised
    }

    /// The most units that count as low.
    public static let lowStock = 3

    public let sku: String
    /// nil for a SKU that the shop does not know.
    public let price: Money?
    public let available: Int
    public let status: Status

    /// The status follows from the number of units.
    public init(sku: String, price: Money, available: Int) {
        self.sku = sku
        self.price = price
        self.available = available
        self.status = available <= 0 ? .soldOut : available <= Self.lowStock ? .low : .inStock
    }

    /// The answer for a SKU that the shop does not know.
    public init(unknown sku: String) {
        self.sku = sku
        price = nil
        available = 0
        status = .unknown
    }
}
