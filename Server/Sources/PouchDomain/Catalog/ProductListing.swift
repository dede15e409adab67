import PouchEntities

/// One page of products as the catalogue answers it.
public struct ProductListing: Sendable {
    public let items: [Product]
    /// Where the next page begins; nil on the last one.
    public let next: ProductPosition?
    /// nil unless the query asked for them.
    public let facets: [Facet]?
}
