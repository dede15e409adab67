import PouchEntities

/// A place in a list of products: behind a certain product, whether or not that one still exists.
///
/// It holds the product's sort key and not a count, so that no product is skipped or repeated while others come and go.
public struct ProductPosition: Codable, Sendable, Equatable {
    let sort: ProductSort
    let key: SortKey
    /// `ProductQuery.filterFingerprint` of the query that it was made for.
    let filters: UInt64
    /// The version of the catalogue; relevance alone has one, since scores of two versions cannot be compared.
    let version: Int64?
}
