import Foundation
import PouchEntities

/// A backend of the catalogue: a shop's server, the files of a feed, or an app's own.
///
/// A source either answers queries, or is read completely into the local store, which then answers them. A method that
/// a source does not implement throws `.notOffered`.
public protocol CatalogSource: PromotionSource {
    /// Receives products of a catalogue that is being read, and the total number of products.
    typealias ProductReceiver = (_ products: [Product], _ total: Int) async throws(DataError) -> Void

    /// Whether the source answers queries. Otherwise the local store answers them after an import.
    var answersQueries: Bool { get }
    /// Whether `readAll` also returns the promotions. Otherwise they are read separately.
    var includesPromotions: Bool { get }

    func seasons() async throws(DataError) -> Dated<[Season]>
    /// - Parameter season: nil for the themes of all seasons.
    func themes(season: String?) async throws(DataError) -> Dated<[Theme]>
    /// - Parameter season: nil for the categories of all seasons.
    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]>
    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage>
    /// - Throws: `.notFound`.
    func product(handle: String) async throws(DataError) -> Dated<Product>
    /// Reads the whole catalogue.
    ///
    /// - Parameters:
    ///   - now: the current time; products that are not on sale at that time may be omitted.
    ///   - known: the time of the catalogue that is already imported; nil for none.
    ///   - receive: called with all products in parts. This method rethrows its errors.
    /// - Returns: the rest of the catalogue, with its age; nil, with the failure, if nothing newer than `known` could
    ///   be read. Then `receive` was not called.
    func readAll(
        at now: Date, newerThan known: Date?, _ receive: ProductReceiver
    ) async throws(DataError) -> Dated<CatalogTaxonomy?>

    /// Succeeds when the source can be reached, and does not use a cache.
    func ready() async throws(DataError)
    /// Sets the handler that is called after a request with whether the source answered.
    func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void)
}

extension CatalogSource {
    public var answersQueries: Bool { true }
    public var includesPromotions: Bool { false }

    public func seasons() async throws(DataError) -> Dated<[Season]> { throw DataError(.notOffered) }
    public func themes(season: String?) async throws(DataError) -> Dated<[Theme]> { throw DataError(.notOffered) }
    public func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]> {
        throw DataError(.notOffered)
    }
    public func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        throw DataError(.notOffered)
    }
    public func product(handle: String) async throws(DataError) -> Dated<Product> { throw DataError(.notOffered) }
    public func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]> {
        throw DataError(.notOffered)
    }
    public func readAll(
        at now: Date, newerThan known: Date?, _ receive: ProductReceiver
    ) async throws(DataError) -> Dated<CatalogTaxonomy?> {
        throw DataError(.notOffered)
    }
    public func ready() async throws(DataError) {}
    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) {}
}

/// A backend of promotions: the catalogue itself, or an advertiser, which knows products only by their style codes.
///
///     struct Advertiser: PromotionSource {
///         func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]> {
///             let styles = ["71616", "71101"]
///             let products = try await find(Set(styles))
///             let promotions = styles.compactMap { products[$0] }.compactMap { product in
///                 product.images.first.map { Promotion(product: product, image: $0, position: 0) }
///             }
///             return Dated(promotions)
///         }
///     }
///     let pouch = Pouch(server: url, promotions: { [$0, Advertiser()] })
public protocol PromotionSource: Sendable {
    /// Returns products of the catalogue by style code, without those that the catalogue does not have.
    typealias ProductFinder = @Sendable (_ styleCodes: Set<String>) async throws(DataError) -> [String: Product]

    /// The promotions in display order. A shop with several sources renumbers their positions.
    ///
    /// - Parameter find: finds products, for a source that has only their style codes.
    func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]>
}
