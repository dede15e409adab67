import Foundation
import PouchData
import PouchEntities
import Synchronization

/// The catalogue of a server. Answers are also stored on this device, and read from there while the server is unreachable.
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
        let answer: Result<Dated<Value>, DataError>
        do throws(DataError) {
            answer = .success(try await ask())
        } catch {
            answer = .failure(error)
        }
        let (cause, keptAsOf): (DataError, Date?)
        switch answer {
        case .success(let dated):
            guard let failure = dated.failure else { return dated }
            (cause, keptAsOf) = (failure, dated.asOf)
        case .failure(let error):
            guard error.isOfServerAway else { throw error }
            (cause, keptAsOf) = (error, nil)
        }
        let publishedAt = try? await store.catalogPublishedAt()
        if let keptAsOf, publishedAt ?? .distantPast <= keptAsOf { return try answer.get() }
        let kept: Value?
        do throws(StoreError) {
            kept = try await stored()
        } catch {
            if error.reason == .listChanged { throw DataError(error) }
            kept = nil
        }
        guard let kept else { return try answer.get() }
        return Dated(kept, asOf: publishedAt, failure: cause)
    }
}

extension DataError {
    fileprivate var isOfServerAway: Bool {
        switch reason {
        case .unreachable, .timedOut, .busy, .serverFailed, .unreadableAnswer: true
        case .unexpected(let code): code == nil
        default: false
        }
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
