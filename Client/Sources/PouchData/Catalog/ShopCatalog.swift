import Foundation
import PouchEntities
import Synchronization

/// The catalogue as a device reads it: from its source, or from the local store if the source is unavailable.
///
/// Lists from the source are also stored. While the source is unreachable, a stored value is returned with the reason.
/// A source that does not answer queries must be imported before it is read.
public struct ShopCatalog: Sendable {
    let source: any CatalogSource
    /// The sources of promotions; nil for those of `source` alone.
    let promotionSources: [any PromotionSource]?
    let store: any CatalogStore
    private let seen: SeenProducts

    init(source: any CatalogSource, promotionSources: [any PromotionSource]?, store: any CatalogStore) {
        self.source = source
        self.promotionSources = promotionSources
        self.store = store
        seen = SeenProducts(store: store)
    }

    /// Whether the catalogue must be imported before it can be read.
    public var needsImport: Bool { !source.answersQueries }

    public func seasons() async throws(DataError) -> Dated<[Season]> {
        guard source.answersQueries else { return try await stored(await store.seasons()) }
        return try await storing(\.seasons) { () throws(DataError) in try await source.seasons() }
    }

    /// - Parameter season: nil for the themes of all seasons.
    public func themes(season: String?) async throws(DataError) -> Dated<[Theme]> {
        guard source.answersQueries else { return try await stored(await store.themes(season: season)) }
        return try await storing(season == nil ? \.themes : nil) { () throws(DataError) in
            try await source.themes(season: season)
        }
    }

    /// - Parameter season: nil for the categories of all seasons.
    public func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]> {
        guard source.answersQueries else { return try await stored(await store.categories(season: season)) }
        return try await storing(season == nil ? \.categories : nil) { () throws(DataError) in
            try await source.categories(season: season)
        }
    }

    /// - Throws: `.listChanged`.
    public func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        guard source.answersQueries else { return try await stored(await store.products(query)) }
        return try await fallingBackToStore({ () throws(DataError) in try await source.products(query) }) {
            () throws(StoreError) in
            // Without an import, the store has only some products, not the whole list.
            guard try await store.catalogPublishedAt() != nil else { return nil }
            return try await store.products(query)
        }
    }

    /// A product from the source is stored before it is returned, so that it can be added to the cart offline.
    ///
    /// - Throws: `.notFound`.
    public func product(handle: String) async throws(DataError) -> Dated<Product> {
        guard source.answersQueries else {
            guard let product = try await mappingStoreErrors(await store.product(handle: handle)) else {
                throw DataError(.notFound)
            }
            return Dated(product)
        }
        let product = try await fallingBackToStore({ () throws(DataError) in
            try await source.product(handle: handle)
        }) { () throws(StoreError) in try await store.product(handle: handle) }
        if product.failure == nil { await seen.keep(product.value) }
        return product
    }

    private func stored<Value>(
        _ read: @autoclosure () async throws(StoreError) -> Value
    ) async throws(DataError) -> Dated<Value> {
        Dated(try await mappingStoreErrors(await read()))
    }

    /// Stores a list of the whole shop. A storage failure does not fail the call.
    func storing<Item>(
        _ part: WritableKeyPath<CatalogTaxonomy, [Item]?>?, _ read: () async throws(DataError) -> Dated<[Item]>
    ) async throws(DataError) -> Dated<[Item]> {
        let list = try await read()
        if let part, list.failure == nil {
            var taxonomy = CatalogTaxonomy()
            taxonomy[keyPath: part] = list.value
            try? await store.update(taxonomy)
        }
        return list
    }

    /// The source's answer; while the source is unreachable, the cached answer or the stored value, whichever is newer.
    private func fallingBackToStore<Value>(
        _ ask: () async throws(DataError) -> Dated<Value>, _ stored: () async throws(StoreError) -> Value?
    ) async throws(DataError) -> Dated<Value> {
        var cached: Dated<Value>?
        let cause: DataError
        do throws(DataError) {
            let answer = try await ask()
            guard let failure = answer.failure else { return answer }
            (cached, cause) = (answer, failure)
        } catch {
            guard error.isServerUnavailable else { throw error }
            cause = error
        }
        let publishedAt = try? await store.catalogPublishedAt()
        if let cached, let asOf = cached.asOf, publishedAt ?? .distantPast <= asOf { return cached }
        do throws(StoreError) {
            if let kept = try await stored() { return Dated(kept, asOf: publishedAt, failure: cause) }
        } catch {
            if error.reason == .listChanged { throw DataError(error) }
        }
        if let cached { return cached }
        throw cause
    }
}

// MARK: - Without the source

extension ShopCatalog {
    /// The date of the import; nil without an import, or if the store fails.
    public func importedAt() async -> Date? { try? await store.catalogPublishedAt() }

    // The lists as stored, with the time of the import. An empty list counts as unknown.

    public func storedSeasons() async -> Dated<[Season]>? { await known(try? await store.seasons()) }

    public func storedThemes(season: String?) async -> Dated<[Theme]>? {
        await known(try? await store.themes(season: season))
    }

    public func storedCategories(season: String?) async -> Dated<[PouchEntities.Category]>? {
        await known(try? await store.categories(season: season))
    }

    /// The time of promotions that an import does not include is unknown.
    public func storedPromotions() async -> Dated<[Promotion]>? {
        let promotions = await known(try? await store.promotions())
        return importsPromotions ? promotions : promotions.map { Dated($0.value) }
    }

    /// A page of the imported catalogue; nil without an import.
    public func storedProducts(_ query: ProductQuery) async -> Dated<ProductPage>? {
        guard let at = await importedAt(), let page = try? await store.products(query) else { return nil }
        return Dated(page, asOf: at)
    }

    /// Whether an import includes the promotions.
    var importsPromotions: Bool { promotionSources == nil && source.includesPromotions }

    private func known<Item>(_ items: [Item]?) async -> Dated<[Item]>? {
        guard let items, !items.isEmpty else { return nil }
        return Dated(items, asOf: await importedAt())
    }
}

/// Stores viewed products, each version once.
private final class SeenProducts: Sendable {
    /// The number of products after which all are forgotten.
    private static let limit = 500

    private let store: any CatalogStore
    private let kept = Mutex<[Product.ID: Date]>([:])

    init(store: any CatalogStore) {
        self.store = store
    }

    /// A storage failure does not fail the call; the product is stored when it is viewed again.
    func keep(_ product: Product) async {
        guard kept.withLock({ $0[product.id] }) != product.updatedAt,
            (try? await store.merge([product])) != nil
        else { return }
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[product.id] = product.updatedAt
        }
    }
}
