import Foundation
import PouchEntities

/// The changes from one moment of the catalogue to a later one, as read from the store.
struct CatalogUpdate: Sendable {
    var moment: Date
    var version: Int64
    /// As in `CatalogContent`.
    var changesAt: Date?
    /// nil if it did not change.
    var taxonomy: CatalogTaxonomy?
    /// The ids of products that have changed.
    var productIds: Set<String> = []
    /// Those that are published, with the prices at the moment.
    var products: [Product] = []
    /// The prices that have begun or ended as scheduled.
    var prices: [VariantPrice] = []
    /// The available units by SKU, for any variants.
    var availability: [String: Int] = [:]
}

extension CatalogSnapshot {
    /// The snapshot after the changes, which equals one built from the changed catalogue; this snapshot when nothing
    /// differs. Shares with this one everything that did not change. It also shares the index of texts and categories
    /// unless they changed, since building the index takes long for a large catalogue.
    func applying(_ update: CatalogUpdate) -> CatalogSnapshot {
        guard update.changes(parts) else { return self }
        var parts = parts
        parts.apply(update)
        return CatalogSnapshot(parts)
    }

    /// The same catalogue with different available units by SKU; unknown SKUs are ignored. Returns this snapshot when
    /// no number differs.
    public func withAvailability(_ changes: [String: Int]) -> CatalogSnapshot {
        var update = CatalogUpdate(moment: parts.moment, version: version, changesAt: parts.changesAt)
        update.availability = changes
        return applying(update)
    }

    /// This snapshot, built from scratch, as the successor of another one: nothing counts as unchanged.
    func following(_ predecessor: CatalogSnapshot) -> CatalogSnapshot {
        var parts = parts
        parts.marks = CatalogMarks(productCount: parts.products.count, after: predecessor.parts.marks)
        return CatalogSnapshot(parts)
    }
}

extension CatalogUpdate {
    fileprivate func changes(_ parts: CatalogParts) -> Bool {
        guard (version, moment, changesAt) == (parts.version, parts.moment, parts.changesAt),
            taxonomy == nil, productIds.isEmpty, prices.isEmpty
        else { return true }
        return availability.contains { sku, units in
            parts.index.variant(sku: sku, in: parts.products).map { parts.products.available[$0] != units } ?? false
        }
    }
}

extension CatalogParts {
    fileprivate mutating func apply(_ update: CatalogUpdate) {
        marks.begin(after: marks)
        if version != update.version { marks.markVersion() }
        (version, moment, changesAt) = (update.version, update.moment, update.changesAt)
        let hasNames = update.taxonomy?.hasNames(of: taxonomy) ?? true
        if let taxonomy = update.taxonomy, taxonomy != self.taxonomy {
            self.taxonomy = taxonomy
            marks.markEverything()
        }

        let places = update.products.map { product in
            products.number(id: product.id).flatMap { products.isIndexed($0, like: product) ? $0 : nil }
        }
        let known = update.productIds.count { products.number(id: $0) != nil }
        if hasNames, known == update.products.count, !places.contains(nil) {
            var repriced: Set<Int> = []
            for (place, product) in zip(places, update.products) {
                guard let place else { continue }
                note(place, products.replace(place, with: product), &repriced)
            }
            set(update.prices, &repriced)
            set(update.availability)
            repairOrders(of: repriced)
            if setStates() { marks.markEverything() }
        } else {
            products = products.replacing(update.productIds, with: update.products)
            index = CatalogIndex(products, self.taxonomy)
            var repriced: Set<Int> = []
            marks = CatalogMarks(productCount: products.count, after: marks)
            set(update.prices, &repriced)
            set(update.availability)
            orderAgain()
        }
    }

    private mutating func note(_ product: Int, _ difference: ProductTable.Difference, _ repriced: inout Set<Int>) {
        marks.mark(product, difference)
        if difference.contains(.price) { repriced.insert(product) }
    }

    private mutating func set(_ prices: [VariantPrice], _ repriced: inout Set<Int>) {
        var touched: Set<Int> = []
        for price in prices {
            guard let variant = index.variant(sku: price.sku, in: products) else { continue }
            let product = products.product(ofVariant: variant)
            let difference = products.setPrice(
                of: variant, ProductTable.Price(price.price, price.compareAtPrice))
            note(product, difference, &repriced)
            if !difference.isEmpty { touched.insert(product) }
        }
        for product in touched { note(product, products.settlePrice(of: product), &repriced) }
    }

    private mutating func set(_ availability: [String: Int]) {
        for (sku, units) in availability {
            guard let variant = index.variant(sku: sku, in: products) else { continue }
            marks.mark(products.product(ofVariant: variant), products.setAvailable(of: variant, units))
        }
    }
}

// MARK: - Reading

/// The result of a check.
enum CatalogFindings: Sendable {
    case nothing
    case all(LoadedCatalog)
    /// - Parameter upcoming: the same changes for the next scheduled change; nil if its snapshot must be prepared
    ///   again.
    case changes(CatalogUpdate, upcoming: CatalogUpdate?)

    var hasStock: Bool { if case .nothing = self { false } else { true } }

    func snapshot(after known: CatalogSnapshot) -> CatalogSnapshot {
        switch self {
        case .nothing: known
        case .all(let loaded):
            CatalogSnapshot(loaded.content).withAvailability(loaded.availability).following(known)
        case .changes(let update, _): known.applying(update)
        }
    }
}

/// A catalogue with the stock of expired holds.
struct LoadedCatalog: Sendable {
    let content: CatalogContent
    let availability: [String: Int]
}

extension Repositories {
    func loadCatalog(at now: Date) throws -> LoadedCatalog {
        LoadedCatalog(
            content: try catalog.content(at: now), availability: try availability(changedSince: now, at: now))
    }

    /// Reads the changes since a snapshot.
    ///
    /// - Parameters:
    ///   - upcoming: the snapshot of the next scheduled change, for which the same changes are read.
    ///   - wantsStock: whether to read the stock even without other changes.
    ///   - stockSince: the time since which the stock may have changed.
    func catalogChanges(
        from known: CatalogSnapshot, and upcoming: CatalogSnapshot?, at now: Date, wantsStock: Bool,
        stockSince: Date, limit: Int
    ) throws -> CatalogFindings {
        let version = try catalog.version()
        let (isPublished, hasPassed) = (version != known.version, !known.holds(at: now))
        guard isPublished || hasPassed || wantsStock else { return .nothing }
        let availability = try availability(changedSince: stockSince, at: now)
        var update = CatalogUpdate(
            moment: known.parts.moment, version: version, changesAt: known.parts.changesAt,
            availability: availability)
        guard isPublished || hasPassed else {
            let later = upcoming.map { upcoming in
                CatalogUpdate(
                    moment: upcoming.parts.moment, version: version, changesAt: upcoming.parts.changesAt,
                    availability: availability)
            }
            return .changes(update, upcoming: later)
        }

        guard let changes = try catalog.changes(after: known.version, limit: limit) else {
            return .all(try loadCatalog(at: now))
        }
        update.moment = max(now, known.parts.moment)
        let byClock =
            hasPassed ? try catalog.products(changingAfter: known.parts.moment, until: update.moment) : []
        update.productIds = changes.productIds.union(byClock)
        let ids = update.productIds.sorted()
        update.changesAt = try catalog.nextChange(after: update.moment)
        update.products = try catalog.products(ids: ids, at: update.moment)
        update.taxonomy = changes.hasTaxonomy ? try catalog.taxonomy() : nil
        if hasPassed { update.prices = try catalog.prices(changingAfter: known.parts.moment, until: now) }

        let taxonomy = update.taxonomy ?? known.parts.taxonomy
        let boundary = taxonomy.boundary(after: update.moment, changesAt: update.changesAt)
        guard !hasPassed, let upcoming, upcoming.parts.moment == boundary else {
            return .changes(update, upcoming: nil)
        }
        var later = update
        later.moment = upcoming.parts.moment
        later.changesAt = try catalog.nextChange(after: later.moment)
        later.products = try catalog.products(ids: ids, at: later.moment)
        return .changes(update, upcoming: later)
    }

    /// The available units of SKUs that may have changed. The expiry of a hold changes no row, so expired holds are
    /// added each time; ending a hold changes the row of its SKU.
    private func availability(changedSince: Date, at now: Date) throws -> [String: Int] {
        let expired = try stock.expiredHolds(at: now)
        return try catalog.availability(changedSince: changedSince, skus: Array(expired.keys))
            .merging(expired, uniquingKeysWith: +)
    }
}
