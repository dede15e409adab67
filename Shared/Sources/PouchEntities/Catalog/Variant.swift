/// What is sold: one choice of a product's options, with its own SKU, price and stock.
public struct Variant: Codable, Sendable, Hashable {
    public let sku: String
    /// A value for each of the product's options; empty where the product has none.
    public let options: [String: String]
    public let price: Money
    /// The price before a reduction, to be shown struck out.
    public let compareAtPrice: Money?
    /// Units on hand less those held; at most five seconds old in catalogue answers.
    public let available: Int
    public let weightGrams: Int?

    public init(
        sku: String,
        options: [String: String],
        price: Money,
        compareAtPrice: Money? = nil,
        available: Int,
        weightGrams: Int? = nil
    ) {
        self.sku = sku
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.available = available
        self.weightGrams = weightGrams
    }
}
