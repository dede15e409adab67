import PouchEntities

/// A list of products, with ways to narrow it.
///
/// Sends `CatalogMessages`, and `NavigationMessages` for a product.
@MainActor
public protocol ListingScreen: ShopScreen {
    /// What is listed: words to look for, filters, order.
    var query: ProductQuery { get set }
    /// All pages that were read so far as one, with facets; there is more as long as it has a cursor.
    var products: LoadState<ProductPage> { get set }
    /// For the names of facets of categories.
    var categories: [Category] { get set }
    /// For those of facets of seasons.
    var seasons: [Season] { get set }
    /// For those of facets of themes.
    var themes: [Theme] { get set }
}
