import Foundation
import PouchData
import PouchEntities
import Synchronization

/// The origin of the catalogue: a server that answers queries, or a feed that is read as a whole.
protocol CatalogSource: Sendable {
    func seasons() async throws(DataError) -> Dated<[Season]>
    func themes(season: String?) async throws(DataError) -> Dated<[Theme]>
    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]>
    func promotions() async throws(DataError) -> Dated<[Promotion]>
    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage>
    func product(handle: String) async throws(DataError) -> Dated<Product>
}

/// The rows of all pages, stale if one page is.
func allPages<Item>(
    _ page: (_ cursor: String?) async throws(DataError) -> Dated<Page<Item>>
) async throws(DataError) -> Dated<[Item]> {
    var items: [Item] = []
    var stale: Dated<Page<Item>>?
    var cursors = CursorTrail()
    var cursor: String?
    repeat {
        let next = try await page(cursor)
        items += next.items
        if stale == nil, next.failure != nil { stale = next }
        cursor = try cursors.follow(next.nextCursor)
    } while cursor != nil
    return Dated(items, asOf: stale?.asOf, failure: stale?.failure)
}

/// The cursors of a list that is read to its end. A repeated cursor would make an endless loop, and is an error.
struct CursorTrail {
    private var followed: Set<String> = []

    mutating func follow(_ cursor: String?) throws(DataError) -> String? {
        guard let cursor else { return nil }
        guard followed.insert(cursor).inserted else {
            throw DataError(.unreadableAnswer, log: "a cursor came twice")
        }
        return cursor
    }
}

/// The catalogue of a server. Answers are also stored on this device, and read from there while the server is
/// unreachable.
struct ServerCatalog: CatalogSource {
    private let data: DataManager
    private let seen: SeenProducts

    private var store: any CatalogStore { data.store }

    init(data: DataManager) {
        self.data = data
        seen = SeenProducts(store: data.store)
    }

    func seasons() async throws(DataError) -> Dated<[Season]> {
        try await kept(\.seasons) { [data] () throws(DataError) in
            try await allPages { cursor throws(DataError) in try await data.seasons(cursor: cursor) }
        }
    }

    func themes(season: String?) async throws(DataError) -> Dated<[Theme]> {
        try await kept(season == nil ? \.themes : nil) { [data] () throws(DataError) in
            try await allPages { cursor throws(DataError) in try await data.themes(season: season, cursor: cursor) }
        }
    }

    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]> {
        try await kept(season == nil ? \.categories : nil) { [data] () throws(DataError) in
            try await allPages { cursor throws(DataError) in try await data.categories(season: season, cursor: cursor) }
        }
    }

    func promotions() async throws(DataError) -> Dated<[Promotion]> {
        try await kept(\.promotions) { [data] () throws(DataError) in
            try await allPages { cursor throws(DataError) in try await data.promotions(cursor: cursor) }
        }
    }

    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        try await orStored({ () throws(DataError) in try await data.products(query) }) { () throws(StoreError) in
            // Without an import, the store has a few products, which are not the whole list.
            guard try await store.catalogPublishedAt() != nil else { return nil }
            return try await store.products(query)
        }
    }

    func product(handle: String) async throws(DataError) -> Dated<Product> {
        let product = try await orStored({ () throws(DataError) in try await data.product(handle: handle) }) {
            () throws(StoreError) in try await store.product(handle: handle)
        }
        if product.failure == nil { seen.keep(product.value) }
        return product
    }

    /// Stores a list of the whole shop. A store that fails does not keep the caller from the list.
    private func kept<Item>(
        _ part: WritableKeyPath<CatalogOutline, [Item]?>?, _ read: () async throws(DataError) -> Dated<[Item]>
    ) async throws(DataError) -> Dated<[Item]> {
        let list = try await read()
        if let part, list.failure == nil {
            var outline = CatalogOutline()
            outline[keyPath: part] = list.value
            try? await store.update(outline)
        }
        return list
    }

    /// The server's answer; while the server is unreachable, the cached answer or the stored value, whichever is newer.
    private func orStored<Value>(
        _ ask: () async throws(DataError) -> Dated<Value>,
        _ stored: () async throws(StoreError) -> Value?
    ) async throws(DataError) -> Dated<Value> {
        var cached: Dated<Value>?
        let cause: DataError
        do throws(DataError) {
            let answer = try await ask()
            guard let failure = answer.failure else { return answer }
            (cached, cause) = (answer, failure)
        } catch {
            guard error.meansServerIsAway else { throw error }
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

/// Stores products that are looked at in the background, each version once.
private final class SeenProducts: Sendable {
    /// Beyond it, all are forgotten.
    private static let limit = 500

    private let store: any CatalogStore
    private let kept = Mutex<[Product.ID: Date]>([:])

    init(store: any CatalogStore) {
        self.store = store
    }

    func keep(_ product: Product) {
        let isNew = kept.withLock { kept in
            guard kept[product.id] != product.updatedAt else { return false }
            if kept.count >= Self.limit { kept.removeAll() }
            kept[product.id] = product.updatedAt
            return true
        }
        guard isNew else { return }
        Task(priority: .utility) { [store] in try? await store.merge([product]) }
    }
}

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
