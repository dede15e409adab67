import Foundation
import PouchData
import PouchEntities

/// Reads the whole catalogue into the local store, where it replaces the earlier one in one step. An import that fails
/// leaves the earlier catalogue.
struct CatalogImporter {
    /// The server's largest page.
    private static let pageSize = 200

    let data: DataManager
    let now: @Sendable () -> Date
    let progress: @Sendable (CatalogImportProgress?) -> Void

    private var store: any CatalogStore { data.store }

    /// - Returns: the time of publication; stale where cached files were imported.
    func run() async throws(DataError) -> Dated<Date> {
        defer { progress(nil) }
        return data.readsFeed ? try await importFeed() : Dated(try await intoDraft(importServer))
    }

    private func intoDraft(
        _ fill: (CatalogDraft) async throws(DataError) -> Date
    ) async throws(DataError) -> Date {
        let draft = try await data.mappingStoreErrors(await store.beginImport())
        do throws(DataError) {
            return try await fill(draft)
        } catch {
            try? await store.abandon(draft)
            throw error
        }
    }

    private func importServer(_ draft: CatalogDraft) async throws(DataError) -> Date {
        let at = now()
        let categories = try fresh(
            await allPages { cursor throws(DataError) in try await data.categories(cursor: cursor) })
        // The shop's figures may be wrong; their sum must not overflow.
        let total = categories.reduce(0) { $0 + min(max(0, $1.productCount), 1_000_000_000) }
        var outline = CatalogOutline(
            seasons: try fresh(await allPages { cursor throws(DataError) in try await data.seasons(cursor: cursor) }),
            themes: try fresh(await allPages { cursor throws(DataError) in try await data.themes(cursor: cursor) }))
        outline.categories = categories
        progress(CatalogImportProgress(products: 0, total: total))
        var count = 0
        var cursors = CursorTrail()
        var query = ProductQuery(sort: .name, limit: Self.pageSize)
        var page: ProductPage? = try await products(query)
        while let current = page {
            let cursor = try cursors.follow(current.nextCursor)
            query.cursor = cursor
            // The next page is requested while this one is stored, so two pages are in memory at a time.
            let nextQuery = query
            async let next = cursor == nil ? nil : products(nextQuery)
            try await store(current.items, in: draft)
            count += current.items.count
            progress(CatalogImportProgress(products: count, total: max(count, total)))
            do {
                page = try await next
            } catch {
                throw error as? DataError ?? DataError(.cancelled)
            }
        }
        outline.promotions = try fresh(
            await allPages { cursor throws(DataError) in try await data.promotions(cursor: cursor) })
        return try await publish(draft, outline, at)
    }

    private func products(_ query: ProductQuery) async throws(DataError) -> ProductPage {
        try fresh(try await data.products(query, usesCache: false))
    }

    /// An import has no stale lists.
    private func fresh<Value>(_ dated: Dated<Value>) throws(DataError) -> Value {
        if let failure = dated.failure { throw failure }
        return dated.value
    }

    private func importFeed() async throws(DataError) -> Dated<Date> {
        let at = now()
        let seasons = try await data.feedSeasons()
        let shown = try await data.feedProducts(in: seasons.value, at: at)
        let (asOf, failure) =
            seasons.failure == nil ? (shown.asOf, shown.failure) : (seasons.asOf, seasons.failure)
        // The feed is unreachable, and the cached files were imported before.
        if failure != nil, let known = try? await store.catalogPublishedAt(), known >= asOf ?? .distantPast {
            return Dated(known, asOf: asOf, failure: failure)
        }
        let published = try await intoDraft { draft throws(DataError) in
            let products = shown.value.products
            for start in stride(from: 0, to: products.count, by: Self.pageSize) {
                let end = min(start + Self.pageSize, products.count)
                try await store(Array(products[start..<end]), in: draft)
                progress(CatalogImportProgress(products: end, total: products.count))
            }
            return try await publish(draft, shown.value.outline, asOf ?? at)
        }
        return Dated(published, asOf: asOf, failure: failure)
    }

    private func store(_ products: [Product], in draft: CatalogDraft) async throws(DataError) {
        try await data.mappingStoreErrors(await store.add(products, to: draft))
    }

    private func publish(
        _ draft: CatalogDraft, _ outline: CatalogOutline, _ at: Date
    ) async throws(DataError) -> Date {
        try await data.mappingStoreErrors(await store.publish(draft, outline, at: at))
        return at
    }
}

/// The progress of an import of the catalogue.
public struct CatalogImportProgress: Sendable, Equatable {
    /// Products that are stored so far. They become visible when the import ends.
    public let products: Int
    /// The number of products that the shop reports.
    public let total: Int

    public init(products: Int, total: Int) {
        self.products = products
        self.total = total
    }
}
