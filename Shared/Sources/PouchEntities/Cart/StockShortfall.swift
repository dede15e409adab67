/// A SKU of which fewer units are left than were wanted.
public struct StockShortfall: Codable, Sendable, Hashable {
    public let sku: String
    public let available: Int

    public init(sku: String, available: Int) {
        self.sku = sku
        self.available = available
    }
}
