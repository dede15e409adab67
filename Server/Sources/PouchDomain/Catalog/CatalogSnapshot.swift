import Foundation
import PouchEntities

/// The catalogue of one moment, in memory; answers every catalogue read.
public final class CatalogSnapshot: Sendable {
    let parts: CatalogParts
    /// The time of the next scheduled change; nil if there is none.
    public let validUntil: Date?

    /// Builds all indexes, which takes long for a large catalogue and must not run on an event loop.
    public convenience init(_ content: CatalogContent) { self.init(CatalogParts(content)) }

    init(_ parts: CatalogParts) {
        self.parts = parts
        validUntil = parts.taxonomy.boundary(after: parts.moment, changesAt: parts.changesAt)
    }

    public var version: Int64 { parts.version }

    public var currency: Currency { parts.products.currency }

    func holds(at moment: Date) -> Bool { validUntil.map { moment < $0 } ?? true }

    // MARK: Single products

    public func product(handle: String) -> Product? { number(handle: handle).map { parts.products[$0] } }

    /// A variant and its product; nil for an unknown SKU.
    public func variant(sku: String) -> (product: Product, variant: Variant)? {
        guard let variant = parts.index.variant(sku: sku, in: parts.products) else { return nil }
        let product = parts.products.product(ofVariant: variant)
        guard parts.states[product] != .coming else { return nil }
        return (parts.products[product], parts.products.variant(variant))
    }

    public func availability(sku: String) -> Availability {
        guard let variant = variant(sku: sku)?.variant else { return Availability(unknown: sku) }
        return Availability(sku: sku, price: variant.price, available: variant.available)
    }

    /// The visible products in the order of their ids, without variants and prices.
    var heads: [Product] {
        zip(parts.products.heads, parts.states).compactMap { $1 == .onShow ? $0 : nil }
    }

    /// The number of a visible product, or of a product of an ended season.
    func number(handle: String) -> Int? {
        parts.index.product(handle: handle, in: parts.products).flatMap { parts.states[$0] == .coming ? nil : $0 }
    }

    // MARK: Lists

    /// The seasons that have begun and not ended, in the order of their ids.
    public var seasons: [Season] {
        parts.taxonomy.seasons.filter { $0.state(at: parts.moment) == .onShow }.sorted { $0.id < $1.id }
    }

    /// The themes in the order of their ids, without those of seasons that have ended or not begun.
    public func themes(season: String? = nil) -> [Theme] {
        let hidden = Set(parts.taxonomy.seasons.filter { $0.state(at: parts.moment) != .onShow }.map(\.id))
        return parts.taxonomy.themes
            .filter { (season == nil || $0.seasonId == season) && !hidden.contains($0.seasonId) }
            .sorted { $0.id < $1.id }
    }

    /// The categories that have a product, in the order of their ids.
    public func categories(season: String? = nil) -> [PouchEntities.Category] {
        guard let filter = ProductFilter(ProductQuery(season: season), parts, matches: nil) else { return [] }
        let counts = FacetCounter(parts, filter).counts
        return zip(parts.index.attributes.attributes, counts)
            .filter { $0.dimension == AttributeTable.category && $1 > 0 }
            .map { category, count in
                PouchEntities.Category(
                    id: category.value,
                    name: parts.taxonomy.categoryNames[category.value] ?? category.value,
                    productCount: count)
            }
            .sorted { $0.id < $1.id }
    }

    /// The promotions in the order of their positions, without hidden products.
    public var promotions: [Promotion] {
        promoted.map { number, promoted in
            Promotion(product: parts.products[number], image: promoted.image, position: promoted.position)
        }
    }

    /// The promotions with the number of each product.
    var promoted: [(number: Int, promotion: CatalogContent.PromotedProduct)] {
        parts.taxonomy.promotions.sorted { ($0.position, $0.productId) < ($1.position, $1.productId) }
            .compactMap { promoted in
                parts.products.number(id: promoted.productId)
                    .flatMap { parts.states[$0] == .onShow ? ($0, promoted) : nil }
            }
    }

    /// The products that match the query, after a position, at most `limit` (1...200, default 50).
    ///
    /// A product matches by price when its own price, that of its cheapest variant, is in the range. Option names and
    /// values are compared case-insensitively; one variant must have all options, and be in stock if `inStock` is true.
    /// If it is false, no variant with all options may be in stock. The query's prices are in the shop's currency, and
    /// its `cursor` is ignored.
    public func page(
        _ query: ProductQuery, after position: ProductPosition? = nil
    ) throws(CatalogQueryError) -> ProductListing {
        try list(query, after: position).listing
    }

    /// The page with the numbers of its products.
    func list(
        _ query: ProductQuery, after position: ProductPosition?
    ) throws(CatalogQueryError) -> (listing: ProductListing, numbers: [Int]) {
        let sort = query.effectiveSort
        let fingerprint = query.filterFingerprint
        if let position {
            guard position.sort == sort, position.filters == fingerprint else { throw .positionMismatch }
            guard sort != .relevance || position.version == version else { throw .positionExpired }
        }
        let matches = query.search.map(parts.index.search.matches)
        guard let filter = ProductFilter(query, parts, matches: matches) else {
            return (ProductListing(items: [], next: nil, facets: query.facets ? [] : nil), [])
        }
        let order = sort == .relevance ? Self.bestFirst(matches ?? []) : parts.order(sort)
        func key(_ product: Int) -> SortKey {
            parts.key(product, sort: sort, score: filter.scores?[product] ?? 0)
        }
        let start = position.map { position in
            order.partitioningIndex { position.key.precedes(key(Int($0)), in: sort) }
        }

        let limit = min(max(query.limit ?? 50, 1), 200)
        var page: [Int] = []
        for product in order[(start ?? 0)...] where filter.matches(Int(product), parts) {
            page.append(Int(product))
            if page.count > limit { break }
        }
        var next: ProductPosition?
        if page.count > limit {
            page.removeLast()
            next = page.last.map {
                ProductPosition(
                    sort: sort, key: key($0), filters: fingerprint, version: sort == .relevance ? version : nil)
            }
        }
        let listing = ProductListing(
            items: page.map { parts.products[$0] },
            next: next,
            facets: query.facets ? FacetCounter(parts, filter).facets : nil)
        return (listing, page)
    }

    /// Products are numbered by id, which breaks ties.
    private static func bestFirst(_ matches: [SearchMatch]) -> [Int32] {
        matches.sorted { ($1.score, $0.document) < ($0.score, $1.document) }.map { Int32($0.document) }
    }
}

/// The parts of a snapshot. Snapshots derived from each other share everything that does not differ.
struct CatalogParts: Sendable {
    var products: ProductTable
    var index: CatalogIndex
    var taxonomy: CatalogTaxonomy
    var version: Int64
    /// The time for which prices and seasons are determined.
    var moment: Date
    /// As in `CatalogContent`.
    var changesAt: Date?
    /// The states by product.
    private(set) var states: [Season.State]
    private var seasonStates: [String: Season.State]
    private(set) var cheapestFirst: [Int32]
    private(set) var dearestFirst: [Int32]
    var marks: CatalogMarks

    /// Builds all indexes.
    init(_ content: CatalogContent) {
        products = content.table
        index = CatalogIndex(content.table, content.taxonomy)
        taxonomy = content.taxonomy
        version = content.version
        moment = content.moment
        changesAt = content.changesAt
        marks = CatalogMarks(productCount: content.table.count)
        (states, seasonStates, cheapestFirst, dearestFirst) = ([], [:], [], [])
        orderAgain()
    }

    /// Computes the states and orders of all products again.
    mutating func orderAgain() {
        _ = setStates()
        cheapestFirst = products.heads.indices.map(Int32.init).sorted(by: isCheaper)
        dearestFirst = products.heads.indices.map(Int32.init).sorted(by: isDearer)
    }

    /// All products in that order; empty for relevance, which depends on the query.
    func order(_ sort: ProductSort) -> [Int32] {
        switch sort {
        case .newest: index.newest
        case .priceAscending: cheapestFirst
        case .priceDescending: dearestFirst
        case .name: index.names
        case .relevance: []
        }
    }

    func key(_ product: Int, sort: ProductSort, score: Int) -> SortKey {
        let head = products.heads[product]
        return switch sort {
        case .newest: SortKey(number: 0, text: "", id: head.id)
        case .priceAscending, .priceDescending:
            SortKey(number: products.prices[product].amount, text: "", id: head.id)
        case .name: SortKey(number: 0, text: WordIndex.sortKey(head.name), id: head.id)
        case .relevance: SortKey(number: Int64(score), text: "", id: head.id)
        }
    }

    /// Determines which seasons are open and which products are visible at the moment.
    ///
    /// - Returns: whether that has changed. A season without products is also in the list of seasons.
    mutating func setStates() -> Bool {
        let seasons = taxonomy.seasons.byKey { ($0.id, $0.state(at: moment)) }
        let now = products.heads.map { $0.seasonId.flatMap { seasons[$0] } ?? .onShow }
        guard now != states || seasons != seasonStates else { return false }
        (states, seasonStates) = (now, seasons)
        return true
    }

    /// Moves products to their places in the order by price after their prices have changed.
    mutating func repairOrders(of changed: Set<Int>) {
        guard !changed.isEmpty else { return }
        cheapestFirst = repaired(cheapestFirst, changed, by: isCheaper)
        dearestFirst = repaired(dearestFirst, changed, by: isDearer)
    }

    private func repaired(_ order: [Int32], _ changed: Set<Int>, by precedes: (Int32, Int32) -> Bool) -> [Int32] {
        var isChanged = [Bool](repeating: false, count: products.count)
        for product in changed { isChanged[product] = true }
        var moved = changed.map(Int32.init).sorted(by: precedes)[...]
        var repaired: [Int32] = []
        repaired.reserveCapacity(order.count)
        for product in order where !isChanged[Int(product)] {
            while let next = moved.first, precedes(next, product) { repaired.append(moved.removeFirst()) }
            repaired.append(product)
        }
        return repaired + moved
    }

    private func isCheaper(_ one: Int32, _ other: Int32) -> Bool {
        (products.prices[Int(one)].amount, one) < (products.prices[Int(other)].amount, other)
    }

    private func isDearer(_ one: Int32, _ other: Int32) -> Bool {
        let (price, otherPrice) = (products.prices[Int(one)].amount, products.prices[Int(other)].amount)
        return price == otherPrice ? one < other : price > otherPrice
    }
}
