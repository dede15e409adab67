import PouchEntities

/// A SKU as it can be bought now.
public struct Offer: Sendable, Equatable {
    public let sku: String
    public let productHandle: String
    public let categoryId: String
    /// 0 where the feed names none.
    public let weightGrams: Int
    public let price: Money
    /// On hand less held.
    public let available: Int

    public init(
        sku: String, productHandle: String, categoryId: String, weightGrams: Int, price: Money, available: Int
    ) {
        self.sku = sku
        self.productHandle = productHandle
        self.categoryId = categoryId
        self.weightGrams = weightGrams
        self.price = price
        self.available = available
    }
}
