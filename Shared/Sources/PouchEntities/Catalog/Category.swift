/// A kind of product, as in cardigans; every product has one.
public struct Category: Codable, Sendable, Hashable, Identifiable {
    /// The form for URLs and filters, `[a-z0-9-]`.
    public let id: String
    public let name: String
    /// Products of this category in the answered scope (all, or one season).
    public let productCount: Int

    public init(id: String, name: String, productCount: Int) {
        self.id = id
        self.name = name
        self.productCount = productCount
    }
}
