import Foundation
import PouchEntities

/// What a feed says of one variant.
public struct FeedVariant: Codable, Sendable, Equatable {
    public let sku: String
    /// A value for each option of the product.
    public let options: [String: String]
    public let price: Money
    /// Higher than the price, or nil: it is stated together with the price, so nil means not reduced.
    public let compareAtPrice: Money?
    /// Units on hand; nil when the feed does not name them.
    public let stock: Int?
    /// More than 0; nil when the feed does not name it.
    public let weightGrams: Int?

    public init(
        sku: String,
        options: [String: String],
        price: Money,
        compareAtPrice: Money? = nil,
        stock: Int? = nil,
        weightGrams: Int? = nil
    ) {
        // Two spellings that look the same are the same to people and to Swift, but not to a database.
        self.sku = sku.precomposedStringWithCanonicalMapping
        self.options = options
        self.price = price
        self.compareAtPrice = compareAtPrice
        self.stock = stock
        self.weightGrams = weightGrams
    }
}
