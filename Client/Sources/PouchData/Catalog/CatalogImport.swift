import Foundation
import PouchEntities

extension ShopCatalog {
    /// The number of products to store at once.
    private static let batchSize = 200

    /// Reads the whole catalogue into the local store, where it replaces the earlier one in one step. If the import
    /// fails, the earlier catalogue remains.
    ///
    /// - Parameters:
    ///   - now: the current time, which is the time of the import if the source is reachable.
    ///   - onProgress: called with the number of stored products and the total, and with nil at the end.
    /// - Returns: the time of the import; stale if an unreachable source returned an earlier catalogue.
    public func importAll(
        at now: Date, onProgress: (CatalogImportProgress?) -> Void
    ) async throws(DataError) -> Dated<Date> {
        defer { onProgress(nil) }
        let known = await importedAt()
        var draft = Import(store: store)
        do throws(DataError) {
            let taxonomy = try await source.readAll(at: now, newerThan: known) { products, total throws(DataError) in
                for start in stride(from: 0, through: max(0, products.count - 1), by: Self.batchSize) {
                    let batch = products[start..<min(start + Self.batchSize, products.count)]
                    let count = try await draft.add(Array(batch))
                    onProgress(CatalogImportProgress(products: count, total: max(count, total)))
                }
            }
            guard var rest = taxonomy.value else {
                guard let known else { throw taxonomy.failure ?? DataError(.unreachable, log: "nothing was read") }
                await draft.abandon()
                return Dated(known, asOf: taxonomy.asOf, failure: taxonomy.failure)
            }
            if !importsPromotions { rest.promotions = nil }
            let time = taxonomy.asOf ?? now
            try await draft.publish(rest, at: time)
            return Dated(time, asOf: taxonomy.asOf, failure: taxonomy.failure)
        } catch {
            await draft.abandon()
            throw error
        }
    }

    /// A draft in the store, which starts with the first products.
    private struct Import {
        let store: any CatalogStore
        private var draft: CatalogDraft?
        private var count = 0

        init(store: any CatalogStore) {
            self.store = store
        }

        /// Returns the number of products so far.
        mutating func add(_ products: [Product]) async throws(DataError) -> Int {
            let draft = try await started()
            if !products.isEmpty { try await mappingStoreErrors(await store.add(products, to: draft)) }
            count += products.count
            return count
        }

        mutating func publish(_ taxonomy: CatalogTaxonomy, at time: Date) async throws(DataError) {
            let draft = try await started()
            try await mappingStoreErrors(await store.publish(draft, taxonomy, at: time))
        }

        func abandon() async {
            if let draft { try? await store.abandon(draft) }
        }

        private mutating func started() async throws(DataError) -> CatalogDraft {
            if let draft { return draft }
            let new = try await mappingStoreErrors(await store.beginImport())
            draft = new
            return new
        }
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
