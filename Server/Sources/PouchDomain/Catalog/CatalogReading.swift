import PouchEntities

/// The parts of a snapshot that an answer was made from. The answer stays the same while they do.
public struct CatalogFootprint: Sendable {
    /// The numbers of the products that the answer shows.
    public fileprivate(set) var products: [Int32] = []
    /// Whether prices determine which products it shows, and in which order.
    fileprivate(set) var selectsByPrice = false
    /// Whether stock determines which products it shows.
    fileprivate(set) var selectsByStock = false
    /// Whether any published change of the catalogue may change the answer.
    fileprivate(set) var hasVersion = false
}

/// The reads of one answer from a snapshot, which record what the answer depends on.
public final class CatalogReading {
    public let snapshot: CatalogSnapshot
    public private(set) var footprint = CatalogFootprint()

    public init(_ snapshot: CatalogSnapshot) {
        self.snapshot = snapshot
    }

    public var currency: Currency { snapshot.currency }

    public var seasons: [Season] { snapshot.seasons }

    public func themes(season: String?) -> [Theme] { snapshot.themes(season: season) }

    public func categories(season: String?) -> [PouchEntities.Category] { snapshot.categories(season: season) }

    public var promotions: [Promotion] {
        footprint.products += snapshot.promoted.map { Int32($0.number) }
        return snapshot.promotions
    }

    public func product(handle: String) -> Product? {
        footprint.products += snapshot.number(handle: handle).map { [Int32($0)] } ?? []
        return snapshot.product(handle: handle)
    }

    /// The visible products in the order of their ids, without variants and prices, which change with each sale.
    package var heads: [Product] {
        footprint.hasVersion = true
        return snapshot.heads
    }

    public func page(
        _ query: ProductQuery, after position: ProductPosition?
    ) throws(CatalogQueryError) -> ProductListing {
        let (listing, numbers) = try snapshot.list(query, after: position)
        let sort = query.effectiveSort
        footprint.products += numbers.map(Int32.init)
        if query.minPrice != nil || query.maxPrice != nil || sort == .priceAscending || sort == .priceDescending {
            footprint.selectsByPrice = true
        }
        if query.inStock != nil { footprint.selectsByStock = true }
        if sort == .relevance, listing.next != nil { footprint.hasVersion = true }
        return listing
    }
}

/// The last changes of the parts of a snapshot, as numbers that increase with each published snapshot.
struct CatalogMarks: Sendable {
    /// The number of the snapshot.
    private(set) var serial: Int
    private var everything: Int
    private var prices = 0
    private var stock = 0
    private var version = 0
    /// The numbers by product.
    private var products: [Int]

    /// - Parameter predecessor: the marks of the previous snapshot, from which nothing is kept.
    init(productCount: Int, after predecessor: CatalogMarks? = nil) {
        serial = (predecessor?.serial ?? 0) + 1
        everything = serial
        products = Array(repeating: 0, count: productCount)
    }

    /// Starts the marks of the snapshot after another one.
    mutating func begin(after predecessor: CatalogMarks) { serial = predecessor.serial + 1 }

    mutating func markEverything() { everything = serial }

    mutating func markVersion() { version = serial }

    mutating func mark(_ product: Int, _ difference: ProductTable.Difference) {
        guard !difference.isEmpty else { return }
        products[product] = serial
        if difference.contains(.price) { prices = serial }
        if difference.contains(.stock) { stock = serial }
    }

    /// The numbers of the products that this snapshot changed; nil for all.
    var changed: Set<Int>? {
        everything == serial ? nil : Set(products.indices.filter { products[$0] == serial })
    }

    /// Whether the footprint is unchanged since the snapshot with that number.
    func isCurrent(_ footprint: CatalogFootprint, since known: Int) -> Bool {
        if known >= serial { return true }
        return known >= everything && (!footprint.selectsByPrice || known >= prices)
            && (!footprint.selectsByStock || known >= stock) && (!footprint.hasVersion || known >= version)
            && footprint.products.allSatisfy { products[Int($0)] <= known }
    }
}

extension CatalogSnapshot {
    /// The number of the snapshot, which increases with each published snapshot of a process.
    public var serial: Int { parts.marks.serial }

    /// Whether an answer from an earlier snapshot is still the same.
    public func isCurrent(_ footprint: CatalogFootprint, since serial: Int) -> Bool {
        parts.marks.isCurrent(footprint, since: serial)
    }
}
