import Foundation
import PouchData
import PouchEntities

/// The catalogue of a feed: imported as a whole, then read, filtered and searched in the local store.
struct FeedCatalog: CatalogSource {
    let data: DataManager
    /// Reading it imports the feed where that has not been done.
    let imported: RefreshedValue<Date>

    private var store: any CatalogStore { data.store }

    func seasons() async throws(DataError) -> Dated<[Season]> {
        try await read(await store.seasons())
    }

    func themes(season: String?) async throws(DataError) -> Dated<[Theme]> {
        try await read(await store.themes(season: season))
    }

    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]> {
        try await read(await store.categories(season: season))
    }

    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        try await read(await store.products(query))
    }

    func product(handle: String) async throws(DataError) -> Dated<Product> {
        let product = try await read(await store.product(handle: handle))
        guard let value = product.value else { throw DataError(.notFound) }
        return Dated(value, asOf: product.asOf, failure: product.failure)
    }

    /// Promotions are read apart from the catalogue, because they change more often.
    func promotions() async throws(DataError) -> Dated<[Promotion]> {
        _ = try await imported.value()
        let promotions = try await data.feedPromotions(find: products)
        try await data.mappingStoreErrors(await store.update(CatalogOutline(promotions: promotions.value)))
        return promotions
    }

    /// Searches the catalogue page by page: it has no index by style code, and this is rare.
    private func products(styles: Set<String>) async throws(DataError) -> [String: Product] {
        var found: [String: Product] = [:]
        var query = ProductQuery(limit: 200)
        repeat {
            let page = try await data.mappingStoreErrors(await store.products(query))
            for product in page.items {
                if let style = product.styleCode, styles.contains(style) { found[style] = product }
            }
            query.cursor = page.nextCursor
        } while query.cursor != nil && found.count < styles.count
        return found
    }

    private func read<Value>(
        _ work: @autoclosure () async throws(StoreError) -> Value
    ) async throws(DataError) -> Dated<Value> {
        let imported = try await imported.value()
        let value = try await data.mappingStoreErrors(await work())
        return Dated(value, asOf: imported.asOf, failure: imported.failure)
    }
}
