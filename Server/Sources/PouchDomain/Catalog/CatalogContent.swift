import Foundation
import PouchEntities

/// One version of the catalogue as it is stored, from which a `CatalogSnapshot` is built.
public struct CatalogContent: Sendable {
    /// A product that the shop shows first.
    public struct PromotedProduct: Codable, Sendable, Equatable {
        public let productId: String
        public let image: ProductImage
        /// From 0, in the order in which they are shown.
        public let position: Int

        public init(productId: String, image: ProductImage, position: Int) {
            self.productId = productId
            self.image = image
            self.position = position
        }
    }

    /// The moment for which it holds.
    public let moment: Date
    /// The next moment at which a scheduled price begins or ends; nil when none will.
    public let pricesChangeAt: Date?
    /// Grows with every published import that changes something; sales don't change it.
    public let version: Int64
    /// The shop's; all prices are in it.
    public let currency: Currency
    public let seasons: [Season]
    public let themes: [Theme]
    /// By a category's id.
    public let categoryNames: [String: String]
    /// In any order; ids, handles and SKUs are unique.
    public internal(set) var products: [Product]
    public let promotions: [PromotedProduct]

    public init(
        moment: Date = Date(),
        pricesChangeAt: Date? = nil,
        version: Int64,
        currency: Currency,
        seasons: [Season] = [],
        themes: [Theme] = [],
        categoryNames: [String: String] = [:],
        products: [Product] = [],
        promotions: [PromotedProduct] = []
    ) {
        self.moment = moment
        self.pricesChangeAt = pricesChangeAt
        self.version = version
        self.currency = currency
        self.seasons = seasons
        self.themes = themes
        self.categoryNames = categoryNames
        self.products = products
        self.promotions = promotions
    }
}
