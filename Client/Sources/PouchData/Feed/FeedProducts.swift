import PouchEntities
import PouchFeed

/// The products of a feed, and the seasons, themes and categories that they are in.
public struct FeedProducts: Sendable, Equatable {
    /// In the order of the feed.
    public let products: [Product]
    /// Without promotions.
    public let outline: CatalogOutline

    init(_ shown: FeedCatalog.Shown) {
        products = shown.products
        outline = CatalogOutline(seasons: shown.seasons, themes: shown.themes, categories: shown.categories)
    }
}
