import PouchEntities

/// What a listing may ask of whoever shows it.
@MainActor
public protocol CatalogMessages {
    /// Lists something else in the place of what the listing shows: other filters, another order, other words to look
    /// for.
    func catalogNarrow(to query: ProductQuery) async throws
    /// Adds the next page to the products that the listing shows; nothing after the last.
    func catalogShowMore() async throws
}
