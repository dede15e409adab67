/// A product that the shop shows first.
public struct Promotion: Codable, Sendable, Hashable {
    public let product: Product
    public let image: ProductImage
    /// From 0, in the order in which they are shown.
    public let position: Int

    public init(product: Product, image: ProductImage, position: Int) {
        self.product = product
        self.image = image
        self.position = position
    }
}
