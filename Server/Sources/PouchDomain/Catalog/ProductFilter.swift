import PouchEntities

/// The filters of a query, as numbers of one catalogue.
///
/// Each dimension that the query filters by has a bit. A product and one of its variants match when together they have
/// all bits; if one bit is missing, they still count in the facet of its dimension.
struct ProductFilter {
    let inStock: Bool?
    /// The scores by product, 0 if the search text does not match; nil without a search text.
    let scores: [Int]?
    /// The bits of dimensions that belong to products.
    private(set) var productBits: UInt64 = 0
    /// The bits of options.
    private(set) var variantBits: UInt64 = 0
    /// By attribute, the bit of its dimension if it is a wanted value, otherwise 0.
    private var wanted: [UInt64]
    /// The bits by dimension; 0 if the query does not filter by it.
    private(set) var bits: [UInt64]
    /// By combination of options, the bits of the dimensions in which it has a wanted value.
    private(set) var optionBits: [UInt64] = []
    private let prices: (least: Int64, most: Int64)

    /// - Returns: nil when nothing in the catalogue can match.
    init?(_ query: ProductQuery, _ catalog: CatalogParts, matches: [SearchMatch]?) {
        let index = catalog.index
        inStock = query.inStock
        prices = (query.minPrice?.amount ?? .min, query.maxPrice?.amount ?? .max)
        scores = matches.map { matches in
            var scores = [Int](repeating: 0, count: catalog.products.count)
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
        // No product has more options than there are bits.
        guard filters.count <= UInt64.bitWidth else { return nil }
        for (slot, filter) in filters.enumerated() {
            let bit: UInt64 = 1 << UInt64(slot)
            bits[filter.dimension] = bit
            if filter.dimension >= AttributeTable.firstOption { variantBits |= bit } else { productBits |= bit }
            for value in filter.values {
                if let attribute = table.attribute(filter.dimension, value) { wanted[attribute] = bit }
            }
        }
        optionBits = catalog.products.optionSets.indices.map { bits(of: $0, index.optionAttributes) }
    }

    /// The bits of the dimensions in which a product or a combination of options has a wanted attribute.
    @inline(__always)
    func bits(of item: Int, _ attributes: NumberLists) -> UInt64 {
        var met: UInt64 = 0
        attributes.forEach(in: item) { met |= wanted[$0] }
        return met
    }

    /// Whether the product is visible and matches by price and text, which have no facets.
    func admits(_ product: Int, _ catalog: CatalogParts) -> Bool {
        guard catalog.states[product] == .onShow else { return false }
        if let scores, scores[product] == 0 { return false }
        let price = catalog.products.prices[product].amount
        return prices.least <= price && price <= prices.most
    }

    func matches(_ product: Int, _ catalog: CatalogParts) -> Bool {
        guard admits(product, catalog), bits(of: product, catalog.index.productAttributes) == productBits else {
            return false
        }
        var isAny = false
        for variant in catalog.products.variants(of: product)
        where optionBits[Int(catalog.products.optionSet[variant])] == variantBits {
            guard let inStock else { return true }
            if catalog.products.available[variant] > 0 { return inStock }
            isAny = true
        }
        return isAny && inStock == false
    }
}

/// Counts, in one pass over the catalogue, how many products would remain if an attribute were the only wanted value of
/// its dimension, with all other filters applied.
struct FacetCounter {
    /// The maximum number of values in one facet; beyond it, the rarest are omitted.
    static let most = 100

    /// The variants of a pass, by stock, and the number that a product with such a variant adds to a count.
    private struct Pass {
        /// Whether the variants are in stock; nil for all.
        let stocked: Bool?
        let amount: Int
    }

    private let table: AttributeTable
    /// By attribute, the bit of its dimension; 0 if the query does not filter by it.
    private let dimensionBits: [UInt64]
    /// The counts by attribute.
    private(set) var counts: [Int]
    /// By attribute, the last counted product, so that none counts twice.
    private var done: [Int]

    init(_ catalog: CatalogParts, _ filter: ProductFilter) {
        let (index, products) = (catalog.index, catalog.products)
        table = index.attributes
        dimensionBits = table.attributes.map { filter.bits[$0.dimension] }
        counts = Array(repeating: 0, count: dimensionBits.count)
        done = Array(repeating: -1, count: dimensionBits.count)
        let passes: [Pass] =
            switch filter.inStock {
            case nil: [Pass(stocked: nil, amount: 1)]
            case true?: [Pass(stocked: true, amount: 1)]
            // The variants in stock mark a product as counted before the others could count it.
            case false?: [Pass(stocked: true, amount: 0), Pass(stocked: false, amount: 1)]
            }
        let (productAttributes, optionAttributes) = (index.productAttributes, index.optionAttributes)
        for product in 0..<products.count where filter.admits(product, catalog) {
            let lackingAlready = filter.productBits & ~filter.bits(of: product, productAttributes)
            guard lackingAlready.nonzeroBitCount <= 1 else { continue }
            for pass in passes {
                for variant in products.variants(of: product)
                where pass.stocked == nil || pass.stocked == (products.available[variant] > 0) {
                    let options = Int(products.optionSet[variant])
                    let lacking = lackingAlready | filter.variantBits & ~filter.optionBits[options]
                    guard lacking.nonzeroBitCount <= 1 else { continue }
                    productAttributes.forEach(in: product) { count(product, $0, lacking: lacking, pass.amount) }
                    optionAttributes.forEach(in: options) { count(product, $0, lacking: lacking, pass.amount) }
                }
            }
        }
    }

    /// Counts the product for an attribute if all filters match, or if only the filter of its dimension does not.
    @inline(__always)
    private mutating func count(_ product: Int, _ attribute: Int, lacking: UInt64, _ amount: Int) {
        guard done[attribute] != product, lacking == 0 || dimensionBits[attribute] == lacking else { return }
        done[attribute] = product
        counts[attribute] += amount
    }

    /// The facets: category, season, theme, tag, then the options by name; without values that match nothing.
    var facets: [Facet] {
        var values: [[Facet.Value]] = Array(repeating: [], count: table.dimensions.count)
        for (attribute, count) in zip(table.attributes, counts) where count > 0 {
            values[attribute.dimension].append(Facet.Value(value: attribute.value, count: count))
        }
        let facets = zip(table.dimensions, values).map { dimension, values in
            let frequentFirst = values.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
            return Facet(name: dimension, values: Array(frequentFirst.prefix(Self.most)))
        }
        let options = facets[AttributeTable.firstOption...].sorted { $0.name < $1.name }
        return (facets[..<AttributeTable.firstOption] + options).filter { !$0.values.isEmpty }
    }
}
