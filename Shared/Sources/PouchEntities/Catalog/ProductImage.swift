/// A picture of a product.
public struct ProductImage: Codable, Sendable, Hashable {
    /// Absolute, or a path on the server that answered.
    public let url: String
    /// What the picture shows, for those who cannot see it.
    public let alt: String

    public init(url: String, alt: String) {
        self.url = url
        self.alt = alt
    }
}
