import PouchEntities

/// A query's filters in the numbers of one catalogue.
///
/// Each dimension that the query filters by has a bit. A product and one variant of it match when together they have
/// all bits; one that lacks a single bit still counts in the facet of that bit's dimension.
struct ProductFilter {
    let inStock: Bool?
    /// By product, 0 where the search text does not match; nil without a search text.
    let scores: [Int]?
    /// The bits of dimensions in which whole products differ.
    private(set) var productBits: UInt64 = 0
    /// The bits of options.
    private(set) var variantBits: UInt64 = 0
    /// By attribute: the bit of its dimension where it is a wanted value, else 0.
    private var wanted: [UInt64]
    /// By dimension; 0 where the query does not filter by it.
    private(set) var bits: [UInt64]
    private let prices: (least: Int64, most: Int64)

    /// - Returns: nil when nothing in the catalogue can match.
    init?(_ query: ProductQuery, _ index: CatalogIndex, matches: [SearchMatch]?) {
        inStock = query.inStock
        prices = (query.minPrice ?? .min, query.maxPrice ?? .max)
        scores = matches.map { matches in
            var scores = [Int](repeating: 0, count: index.productCount)
            for match in matches { scores[match.document] = match.score }
            return scores
        }
        wanted = Array(repeating: 0, count: index.attributes.attributes.count)
        bits = Array(repeating: 0, count: index.attributes.dimensions.count)

        let table = index.attributes
        var filters: [(dimension: Int, values: Set<String>)] = []
        for (dimension, value) in [
            (AttributeTable.category, query.category), (AttributeTable.season, query.season),
            (AttributeTable.theme, query.theme), (AttributeTable.tag, query.tag),
        ] {
            if let value { filters.append((dimension, [value])) }
        }
        for (name, values) in query.foldedOptions {
            guard let dimension = table.dimension(foldedOption: name) else { return nil }
            filters.append((dimension, values))
        }
        // A product with more options than there are bits does not exist.
        guard filters.count <= UInt64.bitWidth else { return nil }
        for (slot, filter) in filters.enumerated() {
            let bit: UInt64 = 1 << UInt64(slot)
            bits[filter.dimension] = bit
            if filter.dimension >= AttributeTable.firstOption { variantBits |= bit } else { productBits |= bit }
            for value in filter.values {
                if let attribute = table.attribute(filter.dimension, value) { wanted[attribute] = bit }
            }
        }
    }

    /// The bits of the dimensions in which a product or variant has a wanted attribute.
    @inline(__always)
    func bits(of item: Int, _ attributes: NumberLists) -> UInt64 {
        var met: UInt64 = 0
        attributes.forEach(in: item) { met |= wanted[$0] }
        return met
    }

    /// Whether the product has the wanted price and words, in which there are no facets.
    func admits(_ product: Int, _ index: CatalogIndex) -> Bool {
        if let scores, scores[product] == 0 { return false }
        let price = index.prices[product]
        return prices.least <= price && price <= prices.most
    }

    func matches(_ product: Int, _ index: CatalogIndex, available: [Int]) -> Bool {
        guard admits(product, index), bits(of: product, index.productAttributes) == productBits else { return false }
        let matching = index.variants(of: product).lazy.filter { bits(of: $0, index.variantAttributes) == variantBits }
        return switch inStock {
        case nil: !matching.isEmpty
        case true?: matching.contains { available[$0] > 0 }
        case false?: !matching.isEmpty && !matching.contains { available[$0] > 0 }
        }
    }
}
