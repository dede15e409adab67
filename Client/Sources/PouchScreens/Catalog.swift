import Foundation
import PouchCoordination
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
    /// Set again once the exact stock figures of its variants have arrived.
    var product: LoadState<Product> { get set }
}

@MainActor
public protocol CatalogMessages {
    /// Replaces the list by that of another query: other filters, another order, another search text.
    func catalogNarrow(to query: ProductQuery) async throws
    /// Appends the next page to the list. Ignored after the last page.
    func catalogShowMore() async throws
}

extension Responder {
    public func catalogNarrow(to query: ProductQuery, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CatalogMessages).self, fileID: fileID, line: line) {
            try await $0.catalogNarrow(to: query)
        }
    }

    public func catalogShowMore(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any CatalogMessages).self, fileID: fileID, line: line) { try await $0.catalogShowMore() }
    }
}

extension CatalogMessages where Self: Responder {
    public func catalogNarrow(to query: ProductQuery) async throws {
        try await above.catalogNarrow(to: query)
    }

    public func catalogShowMore() async throws {
        try await above.catalogShowMore()
    }
}

/// Messages for images, from any screen. The views of an app that draw images send them:
///
///     picture.image = UIImage(data: try await assetData(of: product.images[0]))
///
/// The screens of the terminal show no images and do not.
@MainActor
public protocol AssetMessages {
    /// The bytes of an image; cached ones where the shop cannot be reached.
    func assetData(of image: ProductImage) async throws -> Data
}

extension Responder {
    public func assetData(of image: ProductImage, fileID: String = #fileID, line: Int = #line) async throws -> Data {
        try await send(to: (any AssetMessages).self, fileID: fileID, line: line) { try await $0.assetData(of: image) }
    }
}

extension AssetMessages where Self: Responder {
    public func assetData(of image: ProductImage) async throws -> Data {
        try await above.assetData(of: image)
    }
}
