import Foundation
import PouchData
import PouchEntities

/// Reads the whole catalogue into the local store, where it takes the place of the earlier one in one step. What fails
/// on the way leaves the earlier one.
struct CatalogImporter {
    /// As many as the server gives at once.
    private static let pageSize = 200

    let data: DataManager
    let now: @Sendable () -> Date
    let progress: @Sendable (CatalogImportProgress?) -> Void

    private var store: any CatalogStore { data.store }

    /// - Returns: when it was published; stale where that was made of files that the cache had kept.
    func run() async throws(DataError) -> Dated<Date> {
        defer { progress(nil) }
        return data.readsFeed ? try await importFeed() : Dated(try await intoDraft(importServer))
    }

    private func intoDraft(
        _ fill: (CatalogDraft) async throws(DataError) -> Date
    ) async throws(DataError) -> Date {
        let draft = try await stored { () throws(StoreError) in try await store.beginImport() }
        do throws(DataError) {
            return try await fill(draft)
        } catch {
            try? await store.abandon(draft)
            throw error
        }
    }

    private func importServer(_ draft: CatalogDraft) async throws(DataError) -> Date {
        let at = now()
        let source = ServerLists(data: data)
        let categories = try await source.categories()
        // A sum of figures that the shop has made up must not overflow.
        let total = categories.reduce(0) { $0 + min(max(0, $1.productCount), 1_000_000_000) }
        var outline = CatalogOutline(seasons: try await source.seasons(), themes: try await source.themes())
        outline.categories = categories
        progress(CatalogImportProgress(products: 0, total: total))
        var count = 0
        var cursors = CursorTrail()
        var query = ProductQuery(sort: .name, limit: Self.pageSize)
        var page: ProductPage? = try await source.products(query)
        while let current = page {
            let cursor = try cursors.follow(current.nextCursor)
            query.cursor = cursor
            // The next page comes while this one is stored, so that two are in memory.
            let nextQuery = query
            async let next = cursor == nil ? nil : source.products(nextQuery)
            try await store(current.items, in: draft)
            count += current.items.count
            progress(CatalogImportProgress(products: count, total: max(count, total)))
            do {
                page = try await next
            } catch {
                throw error as? DataError ?? DataError(.cancelled)
            }
        }
        outline.promotions = try await source.promotions()
        return try await publish(draft, outline, at)
    }

    private func importFeed() async throws(DataError) -> Dated<Date> {
        let at = now()
        let seasons = try await data.feedSeasons()
        let shown = try await data.feedProducts(in: seasons.value, at: at)
        let staleness = seasons.staleness ?? shown.staleness
        // What the cache had kept while the feed is away is here already.
        if let staleness, let known = try? await store.catalogPublishedAt(), known >= staleness.asOf ?? .distantPast {
            return Dated(known, staleness: staleness)
        }
        let published = try await intoDraft { draft throws(DataError) in
            let products = shown.value.products
            for start in stride(from: 0, to: products.count, by: Self.pageSize) {
                let end = min(start + Self.pageSize, products.count)
                try await store(Array(products[start..<end]), in: draft)
                progress(CatalogImportProgress(products: end, total: products.count))
            }
            return try await publish(draft, shown.value.outline, staleness?.asOf ?? at)
        }
        return Dated(published, staleness: staleness)
    }

    private func store(_ products: [Product], in draft: CatalogDraft) async throws(DataError) {
        try await stored { () throws(StoreError) in
            try await data.meter.time(.storing) { () throws(StoreError) in try await store.add(products, to: draft) }
        }
    }

    private func publish(
        _ draft: CatalogDraft, _ outline: CatalogOutline, _ at: Date
    ) async throws(DataError) -> Date {
        try await stored { () throws(StoreError) in
            try await data.meter.time(.storing) { () throws(StoreError) in
                try await store.publish(draft, outline, at: at)
            }
        }
        return at
    }

    private func stored<Value: Sendable>(
        _ work: () async throws(StoreError) -> Value
    ) async throws(DataError) -> Value {
        do throws(StoreError) {
            return try await work()
        } catch {
            throw DataError(error)
        }
    }
}

/// The lists of a server, none of which may be stale.
private struct ServerLists: Sendable {
    let data: DataManager

    func seasons() async throws(DataError) -> [Season] {
        try current(try await allPages { cursor throws(DataError) in try await data.seasons(cursor: cursor) })
    }

    func themes() async throws(DataError) -> [Theme] {
        try current(try await allPages { cursor throws(DataError) in try await data.themes(cursor: cursor) })
    }

    func categories() async throws(DataError) -> [PouchEntities.Category] {
        try current(try await allPages { cursor throws(DataError) in try await data.categories(cursor: cursor) })
    }

    func promotions() async throws(DataError) -> [Promotion] {
        try current(try await allPages { cursor throws(DataError) in try await data.promotions(cursor: cursor) })
    }

    func products(_ query: ProductQuery) async throws(DataError) -> ProductPage {
        try current(try await data.products(query, usesCache: false))
    }

    private func current<Value>(_ dated: Dated<Value>) throws(DataError) -> Value {
        if let staleness = dated.staleness { throw staleness.cause }
        return dated.value
    }
}
