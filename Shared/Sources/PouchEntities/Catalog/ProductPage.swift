/// One page of products, with facets where they were asked for.
public struct ProductPage: Codable, Sendable, Equatable {
    public let items: [Product]
    public let nextCursor: String?
    public let facets: [Facet]?

    public init(items: [Product], nextCursor: String? = nil, facets: [Facet]? = nil) {
        self.items = items
        self.nextCursor = nextCursor
        self.facets = facets
    }
}
