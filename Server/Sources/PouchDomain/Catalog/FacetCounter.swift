import PouchEntities

/// Counts, in one pass over the catalogue, how many products each attribute would leave if it were the only wanted
/// value of its dimension while all other filters stand.
struct FacetCounter {
    /// The most values in one facet.
    static let most = 100

    private let index: CatalogIndex
    private let filter: ProductFilter
    private let available: [Int]
    /// By attribute.
    private(set) var counts: [Int]
    /// By attribute: the last product that is done with it, so that none counts twice.
    private var done: [Int]

    init(_ index: CatalogIndex, _ filter: ProductFilter, available: [Int]) {
        self.index = index
        self.filter = filter
        self.available = available
        counts = Array(repeating: 0, count: index.attributes.attributes.count)
        done = Array(repeating: -1, count: counts.count)
        for product in index.products.indices where filter.admits(product, index) { count(product) }
    }

    private mutating func count(_ product: Int) {
        let lacking = filter.productBits & ~filter.bits(of: index.productAttributes[product])
        guard lacking.nonzeroBitCount <= 1 else { return }
        let variants = index.variants(of: product)
        switch filter.inStock {
        case nil:
            for variant in variants { visit(product, variant, lacking, adding: 1) }
        case true?:
            for variant in variants where available[variant] > 0 { visit(product, variant, lacking, adding: 1) }
        case false?:
            // What is in stock takes the product out before the rest could count it.
            for variant in variants where available[variant] > 0 { visit(product, variant, lacking, adding: 0) }
            for variant in variants where available[variant] <= 0 { visit(product, variant, lacking, adding: 1) }
        }
        if variants.isEmpty, filter.inStock != true { visit(product, nil, lacking, adding: 1) }
    }

    /// Counts the product for what it and this variant have in the dimensions whose filter the other filters allow to
    /// be dropped: in all of them when nothing is lacking, else in the one that is.
    private mutating func visit(_ product: Int, _ variant: Int?, _ lackingProductBits: UInt64, adding amount: Int) {
        let options = variant.map { index.variantAttributes[$0] } ?? []
        let lacking = lackingProductBits | filter.variantBits & ~filter.bits(of: options)
        guard lacking.nonzeroBitCount <= 1 else { return }
        mark(index.productAttributes[product], of: product, lacking: lacking, adding: amount)
        mark(options, of: product, lacking: lacking, adding: amount)
    }

    private mutating func mark(_ attributes: ArraySlice<Int>, of product: Int, lacking: UInt64, adding amount: Int) {
        for attribute in attributes where done[attribute] != product {
            let dimension = index.attributes.attributes[attribute].dimension
            guard lacking == 0 || filter.bits[dimension] == lacking else { continue }
            done[attribute] = product
            counts[attribute] += amount
        }
    }

    /// Category, season, theme, tag, then the options by name; only those with a value that would leave something.
    var facets: [Facet] {
        var values: [[Facet.Value]] = Array(repeating: [], count: index.attributes.dimensions.count)
        for (attribute, count) in zip(index.attributes.attributes, counts) where count > 0 {
            values[attribute.dimension].append(Facet.Value(value: attribute.value, count: count))
        }
        let facets = zip(index.attributes.dimensions, values).map { dimension, values in
            let frequentFirst = values.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
            return Facet(name: dimension, values: Array(frequentFirst.prefix(Self.most)))
        }
        let options = facets[AttributeTable.firstOption...].sorted { $0.name < $1.name }
        return (facets[..<AttributeTable.firstOption] + options).filter { !$0.values.isEmpty }
    }
}
