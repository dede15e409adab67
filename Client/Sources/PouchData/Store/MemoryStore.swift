import Foundation
import PouchEntities
import PouchWire

/// A local store in memory, which is lost when the process ends.
public actor MemoryStore: LocalStore {
    private struct OwnerData {
        var cart: Dated<Cart>?
        var orders: [Order.ID: Order] = [:]
        var writes: [PendingWrite] = []
    }

    private var catalog = MemoryCatalog()
    private var draft: (handle: CatalogDraft, catalog: MemoryCatalog)?
    private var draftCount: Int64 = 0
    private var dataByOwner: [String: OwnerData] = [:]

    public init() {}

    // MARK: Import

    public func beginImport() -> CatalogDraft {
        draftCount += 1
        let handle = CatalogDraft(number: draftCount)
        draft = (handle, MemoryCatalog())
        return handle
    }

    public func add(_ products: [Product], to handle: CatalogDraft) throws(StoreError) {
        guard draft?.handle == handle else { throw StoreError(.importEnded) }
        for product in products { draft?.catalog.put(product) }
    }

    public func publish(_ handle: CatalogDraft, _ taxonomy: CatalogTaxonomy, at now: Date) throws(StoreError) {
        guard var next = draft?.catalog, draft?.handle == handle else { throw StoreError(.importEnded) }
        draft = nil
        next.taxonomy = catalog.taxonomy
        next.update(taxonomy)
        next.publishedAt = now
        catalog = next
    }

    public func abandon(_ handle: CatalogDraft) {
        if draft?.handle == handle { draft = nil }
    }

    // MARK: Products seen while browsing

    public func merge(_ products: [Product]) { catalog.merge(products) }

    public func update(_ taxonomy: CatalogTaxonomy) { catalog.update(taxonomy) }

    // MARK: Reading the catalogue

    public func products(_ query: ProductQuery) throws(StoreError) -> ProductPage {
        try MemoryListing(query).page(of: catalog)
    }

    public func product(handle: String) -> Product? { catalog.product(handle: handle) }

    public func product(sku: String) -> Product? { catalog.product(sku: sku) }

    public func seasons() -> [Season] { catalog.taxonomy.seasons ?? [] }

    public func themes(season: String?) -> [Theme] {
        (catalog.taxonomy.themes ?? []).filter { season == nil || $0.seasonId == season }
    }

    public func categories(season: String?) -> [PouchEntities.Category] { catalog.categories(season: season) }

    public func promotions() -> [Promotion] { catalog.promotions }

    public func catalogPublishedAt() -> Date? { catalog.publishedAt }

    // MARK: Purchases

    public func cart(of owner: String) -> Dated<Cart>? { dataByOwner[owner]?.cart }

    public func save(_ cart: Dated<Cart>?, of owner: String) {
        if let cart, let stored = dataByOwner[owner]?.cart, stored.id == cart.id, stored.version > cart.version {
            return
        }
        dataByOwner[owner, default: OwnerData()].cart = cart.map { Dated($0.value, asOf: $0.asOf) }
    }

    public func orders(of owner: String, limit: Int?, cursor: String?) throws(StoreError) -> Page<Order> {
        let start = try OrderPosition(cursor: cursor)
        var orders = (dataByOwner[owner]?.orders.values).map { Array($0) } ?? []
        if let start { orders.removeAll { !start.precedes(OrderPosition($0)) } }
        orders.sort { OrderPosition($0).precedes(OrderPosition($1)) }
        let page = orders.prefix(Limits.storedPageSize(limit))
        return Page(
            items: Array(page),
            nextCursor: page.count < orders.count ? page.last.flatMap { OrderPosition($0).cursor } : nil)
    }

    public func order(id: String, of owner: String) -> Order? { dataByOwner[owner]?.orders[id] }

    public func save(_ orders: [Order], of owner: String) {
        for order in orders { dataByOwner[owner, default: OwnerData()].orders[order.id] = order }
    }

    // MARK: Pending writes

    public func add(_ write: PendingWrite) {
        guard dataByOwner[write.owner]?.writes.contains(where: { $0.key == write.key }) != true else { return }
        dataByOwner[write.owner, default: OwnerData()].writes.append(write)
    }

    public func beginAttempt(of write: PendingWrite, at moment: Date, sentAfter oldest: Date?) -> PendingWrite {
        let stored =
            self.write(write.key, of: write.owner)
            ?? oldest.flatMap { oldest in
                pendingWrites(of: write.owner).last {
                    $0.isSameRequest(as: write) && $0.firstSentAt.map { $0 > oldest } ?? true
                }
            } ?? write
        return stored.isSameRequest(as: write) ? put(stored.attempted(at: moment)) : stored
    }

    public func beginAttempt(key: String, of owner: String, at moment: Date) -> PendingWrite? {
        write(key, of: owner).map { put($0.attempted(at: moment)) }
    }

    public func withdrawAttempt(key: String, of owner: String, keepsUnsent: Bool) -> Int? {
        guard let left = write(key, of: owner)?.withoutAttempt() else { return nil }
        if left.attempts > 0 || keepsUnsent { put(left) } else { removeWrite(key: key, of: owner) }
        return left.attempts
    }

    private func write(_ key: String, of owner: String) -> PendingWrite? {
        dataByOwner[owner]?.writes.first { $0.key == key }
    }

    /// Adds a write, or replaces the one with its key.
    @discardableResult
    private func put(_ write: PendingWrite) -> PendingWrite {
        var writes = pendingWrites(of: write.owner)
        if let index = writes.firstIndex(where: { $0.key == write.key }) {
            writes[index] = write
        } else {
            writes.append(write)
        }
        dataByOwner[write.owner, default: OwnerData()].writes = writes
        return write
    }

    public func removeWrite(key: String, of owner: String) {
        dataByOwner[owner]?.writes.removeAll { $0.key == key }
    }

    public func replaceWrites(keys: Set<String>, of owner: String, with write: PendingWrite?) -> Bool {
        guard keys.isSubset(of: pendingWrites(of: owner).map(\.key)) else { return false }
        dataByOwner[owner]?.writes.removeAll { keys.contains($0.key) }
        if let write { add(write) }
        return true
    }

    public func pendingWrites(of owner: String) -> [PendingWrite] { dataByOwner[owner]?.writes ?? [] }

    public func expire(sentBefore moment: Date) {
        for owner in dataByOwner.keys {
            let writes: [PendingWrite] = pendingWrites(of: owner).compactMap { write in
                guard let sent = write.firstSentAt, sent < moment else { return write }
                guard PendingWrite.Kind.noticed.contains(write.kind) else { return nil }
                return PendingWrite.Kind.purchases.contains(write.kind) ? write.withoutBody : write
            }
            dataByOwner[owner]?.writes = writes
        }
    }

    // MARK: Owners

    public func removeEverything(of owner: String) { dataByOwner[owner] = nil }

    public func handOver(_ kinds: Set<PendingWrite.Kind>, from old: String, to new: String) {
        guard old != new, let data = dataByOwner.removeValue(forKey: old) else { return }
        for write in data.writes {
            if write.firstSentAt == nil {
                if kinds.contains(write.kind) { add(write.owned(by: new)) }
            } else if PendingWrite.Kind.purchases.contains(write.kind) {
                add(write.owned(by: new).withoutBody)
            }
        }
    }
}
