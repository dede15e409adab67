import Foundation
import PouchData
import PouchEntities
import Synchronization

/// Puts products that somebody looks at into the local store, behind their back, and each version once.
final class SeenProducts: Sendable {
    /// How many are remembered as kept; beyond that all are forgotten.
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
