import Foundation
import PouchData
import PouchEntities

/// The catalogue of a server. What is read goes into the local store too, and comes from there while the server is away.
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

    func listing(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        try await orStored({ () throws(DataError) in try await data.products(query) }) { () throws(StoreError) in
            // A store that has seen a few products only would pass these off as all.
            guard try await store.catalogPublishedAt() != nil else { return nil }
            return try await store.products(query)
        }
    }

    func product(handle: String) async throws(DataError) -> Dated<Product> {
        let product = try await orStored({ () throws(DataError) in try await data.product(handle: handle) }) {
            () throws(StoreError) in try await store.product(handle: handle)
        }
        if product.staleness == nil { seen.keep(product.value) }
        return product
    }

    /// Puts a list of the whole shop into the store; one that cannot be put there is shown all the same.
    private func kept<Item>(
        _ part: WritableKeyPath<CatalogOutline, [Item]?>?, _ read: () async throws(DataError) -> Dated<[Item]>
    ) async throws(DataError) -> Dated<[Item]> {
        let list = try await read()
        if let part, list.staleness == nil {
            var outline = CatalogOutline()
            outline[keyPath: part] = list.value
            try? await store.update(outline)
        }
        return list
    }

    /// The server's answer, or, where it is away, the later one of what was kept of its answers and the store's.
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
            guard let staleness = dated.staleness else { return dated }
            (cause, keptAsOf) = (staleness.cause, staleness.asOf)
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
        return Dated(kept, staleness: Staleness(asOf: publishedAt, cause: cause))
    }
}

extension DataError {
    /// Whether what is kept here is better than no answer.
    var isOfServerAway: Bool {
        switch reason {
        case .unreachable, .timedOut, .busy, .serverFailed, .unreadableAnswer: true
        case .unexpected(let code): code == nil
        default: false
        }
    }
}
