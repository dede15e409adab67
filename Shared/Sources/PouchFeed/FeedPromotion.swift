import PouchEntities

/// What a feed says of a product that the shop shows first.
public struct FeedPromotion: Codable, Sendable, Equatable {
    /// The physical line on which the record begins, from 1.
    public let line: Int
    /// The style code of the promoted product.
    public let styleCode: String
    /// nil: the product's own.
    public let image: ProductImage?
    /// From 0, without gaps, in the order in which they are shown.
    public let position: Int

    public init(line: Int, styleCode: String, image: ProductImage?, position: Int) {
        self.line = line
        self.styleCode = styleCode
        self.image = image
        self.position = position
    }
}
