import Foundation
import PouchEntities

/// The front page: promotions and categories. Sends `NavigationMessages` (a promotion, a category, a search) and, from
/// within a promotion, `PurchaseMessages`.
public protocol HomeScreen: ShopScreen {
    /// The current season; nil where the shop has none.
    var season: Season? { get set }
    /// The promotions, in their order.
    var promotions: LoadState<[Promotion]> { get set }
    /// The categories of the season, or all.
    var categories: LoadState<[PouchEntities.Category]> { get set }
}

/// A list of products, with filters. Sends `CatalogMessages`, and `NavigationMessages` for a product.
public protocol ListingScreen: ShopScreen {
    /// The query of the list: search text, filters, order.
    var query: ProductQuery { get set }
    /// All pages that were read so far as one, with facets. While it has a cursor, there are more.
    var products: LoadState<ProductPage> { get set }
    /// The categories, for the names of facets.
    var categories: [PouchEntities.Category] { get set }
    /// The seasons, for the names of facets.
    var seasons: [Season] { get set }
    /// The themes, for the names of facets.
    var themes: [Theme] { get set }
}

/// One product, with the choice among its variants (`VariantChoice`). Sends `CartMessages` to add it and
/// `PurchaseMessages` to buy it now.
public protocol ProductScreen: ShopScreen {
    /// The product's name in URLs, known before the product is.
    var handle: String { get set }
    var product: LoadState<Product> { get set }
    /// Exact stock figures for the variants. Where they are missing, those of the product are valid.
    var availability: [Availability] { get set }
}

@MainActor
public protocol CatalogMessages {
    /// Replaces the list by that of another query: other filters, another order, another search text.
    func catalogNarrow(to query: ProductQuery) async throws
    /// Appends the next page to the list. Ignored after the last page.
    func catalogShowMore() async throws
}

/// Messages for images, from any screen.
@MainActor
public protocol AssetMessages {
    /// The bytes of an image; cached ones where the shop cannot be reached.
    func assetData(of image: ProductImage) async throws -> Data
}
