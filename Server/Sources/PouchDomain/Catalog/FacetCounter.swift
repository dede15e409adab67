import PouchEntities

/// Counts, in one pass over the catalogue, how many products each attribute would leave if it were the only wanted
/// value of its dimension while all other filters stand.
struct FacetCounter {
    /// The most values in one facet.
    static let most = 100

    /// Variants to visit by whether they are in stock, and what a product is worth that is met among them.
    private typealias Pass = (stocked: Bool?, amount: Int)

    private let table: AttributeTable
    /// By attribute: the bit of its dimension, 0 where the query does not filter by that.
    private let dimensionBits: [UInt64]
    /// By attribute.
    private(set) var counts: [Int]
    /// By attribute: the last product that is done with it, so that none counts twice.
    private var done: [Int]

    init(_ index: CatalogIndex, _ filter: ProductFilter, available: [Int]) {
        table = index.attributes
        dimensionBits = table.attributes.map { filter.bits[$0.dimension] }
        counts = Array(repeating: 0, count: dimensionBits.count)
        done = Array(repeating: -1, count: dimensionBits.count)
        let passes: [Pass] =
            switch filter.inStock {
            case nil: [(nil, 1)]
            case true?: [(true, 1)]
            // What is in stock takes a product out before the rest could count it.
            case false?: [(true, 0), (false, 1)]
            }
        let (productAttributes, variantAttributes) = (index.productAttributes, index.variantAttributes)
        for product in 0..<index.productCount where filter.admits(product, index) {
            let lackingAlready = filter.productBits & ~filter.bits(of: product, productAttributes)
            guard lackingAlready.nonzeroBitCount <= 1 else { continue }
            for pass in passes {
                for variant in index.variants(of: product)
                where pass.stocked == nil || pass.stocked == (available[variant] > 0) {
                    let lacking = lackingAlready | filter.variantBits & ~filter.bits(of: variant, variantAttributes)
                    guard lacking.nonzeroBitCount <= 1 else { continue }
                    productAttributes.forEach(in: product) { count(product, $0, lacking: lacking, pass.amount) }
                    variantAttributes.forEach(in: variant) { count(product, $0, lacking: lacking, pass.amount) }
                }
            }
        }
    }

    /// Counts the product unless this attribute's filter is not the one that the other filters allow to be dropped:
    /// any when nothing is lacking, else the one that is.
    @inline(__always)
    private mutating func count(_ product: Int, _ attribute: Int, lacking: UInt64, _ amount: Int) {
        guard done[attribute] != product, lacking == 0 || dimensionBits[attribute] == lacking else { return }
        done[attribute] = product
        counts[attribute] += amount
    }

    /// Category, season, theme, tag, then the options by name; only those with a value that would leave something.
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
