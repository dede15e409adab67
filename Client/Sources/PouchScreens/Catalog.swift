import Foundation
import PouchCoordination
import PouchEntities

/// The front page: promotions and categories. Sends a `ShopPage` (a promotion, a category, a search) and, from within a
/// promotion, `BuyNow`.
public protocol HomeScreen: ShopScreen {
    /// The current season; nil if the shop has none.
    var season: Season? { get set }
    /// The promotions, in display order.
    var promotions: LoadState<[Promotion]> { get set }
    /// The categories of the season, or all.
    var categories: LoadState<[PouchEntities.Category]> { get set }
}

/// A list of products, with filters. Sends `NarrowList`, `ShowMoreProducts`, and a `ShopPage` for a product.
public protocol ListingScreen: ShopScreen {
    /// The query of the list: search text, filters, order.
    var query: ProductQuery { get set }
    /// All pages read so far, as one page with facets. While it has a cursor, there are more.
    var products: LoadState<ProductPage> { get set }
    /// The categories, for the names of facets.
    var categories: [PouchEntities.Category] { get set }
    /// The seasons, for the names of facets.
    var seasons: [Season] { get set }
    /// The themes, for the names of facets.
    var themes: [Theme] { get set }
}

/// One product, with the choice among its variants (`VariantChoice`). Sends `EditCart` and `BuyNow`.
public protocol ProductScreen: ShopScreen {
    /// The product's name in URLs, known before the product.
    var handle: String { get set }
    /// The product, set again once the exact stock figures of its variants have arrived.
    var product: LoadState<Product> { get set }
}

// MARK: - Messages

/// Replaces the list with that of another query: different filters, order or search text.
public struct NarrowList: Message, Hashable {
    public let query: ProductQuery

    public init(to query: ProductQuery) {
        self.query = query
    }
}

/// Appends the next page to the list. Ignored after the last page.
public struct ShowMoreProducts: Message, Hashable {
    public init() {}
}

/// Loads an image, from any screen; the answer is cached bytes if the shop cannot be reached. An app's views that draw
/// images send it:
///
///     picture.image = UIImage(data: try await send(LoadImage(product.images[0])))
///
/// The terminal screens show no images and do not send it.
public struct LoadImage: Message, Hashable {
    public typealias Answer = Data

    public let image: ProductImage

    public init(_ image: ProductImage) {
        self.image = image
    }
}
