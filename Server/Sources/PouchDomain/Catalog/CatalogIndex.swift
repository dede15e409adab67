import PouchEntities

/// The part of a catalogue that queries need and that does not depend on prices, stock or time; shared by all snapshots
/// between two changes of texts, options or categories.
///
/// Products and variants are numbered as in their `ProductTable`. Hidden products are indexed, too, so that the
/// beginning and the end of a season need no other index.
final class CatalogIndex: Sendable {
    let attributes: AttributeTable
    let productAttributes: NumberLists
    /// The attributes by combination of options.
    let optionAttributes: NumberLists
    let search: WordIndex
    /// All products by name.
    let names: [Int32]
    /// All products, latest first.
    let newest: [Int32]
    private let handles: TextTable
    private let skus: TextTable

    /// Takes long for a large catalogue.
    init(_ products: ProductTable, _ taxonomy: CatalogTaxonomy) {
        var attributes = AttributeTable()
        var productAttributes = NumberLists()
        // The spelling of the first product that has a value is used, so combinations are in the order of the products.
        for head in products.heads {
            productAttributes.append(Self.attributes(of: head, numberedBy: &attributes))
        }
        var optionAttributes = NumberLists()
        for options in products.optionSets {
            optionAttributes.append(
                options.sorted { $0.key < $1.key }.map { attributes.insert(option: $0.key, value: $0.value) })
        }
        self.attributes = attributes
        self.productAttributes = productAttributes
        self.optionAttributes = optionAttributes

        newest = products.heads.indices.reversed().map(Int32.init)
        let keys = products.heads.map { WordIndex.sortKey($0.name) }
        names = products.heads.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map(Int32.init)
        handles = TextTable(count: products.count) { products.heads[$0].handle }
        skus = TextTable(count: products.skus.count) { products.skus[$0].isEmpty ? nil : products.skus[$0] }
        search = WordIndex(SearchDocument.all(products, taxonomy))
    }

    func product(handle: String, in products: ProductTable) -> Int? {
        handles.number(handle) { products.heads[$0].handle == handle }
    }

    func variant(sku: String, in products: ProductTable) -> Int? {
        skus.number(sku) { products.skus[$0] == sku }
    }

    private static func attributes(of product: Product, numberedBy table: inout AttributeTable) -> [Int] {
        var numbers = [table.insert(AttributeTable.category, product.category)]
        if let season = product.seasonId { numbers.append(table.insert(AttributeTable.season, season)) }
        if let theme = product.themeId { numbers.append(table.insert(AttributeTable.theme, theme)) }
        for tag in product.tags {
            let number = table.insert(AttributeTable.tag, tag)
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }
}

/// Numbers for everything by which products and variants can be filtered. An attribute is a value of a dimension, such
/// as the category or the option Size.
struct AttributeTable: Sendable {
    struct Attribute: Hashable {
        let dimension: Int
        /// As spelled by the first product that has it.
        let value: String
    }

    private struct OptionChoice: Hashable {
        let name: String
        let value: String
    }

    static let category = 0
    static let season = 1
    static let theme = 2
    static let tag = 3
    static let firstOption = 4

    /// The dimensions, named like the query parameters that filter by them. The first four belong to products, the
    /// others, the options, to variants.
    private(set) var dimensions = ["category", "season", "theme", "tag"]
    private(set) var attributes: [Attribute] = []
    /// The numbers by attribute, with option values in lower case.
    private var numbers: [Attribute: Int] = [:]
    private var optionDimensions: [String: Int] = [:]
    /// A cache of folded spellings.
    private var choices: [OptionChoice: Int] = [:]

    /// The dimension of an option by its name in lower case; nil when no variant has that option.
    func dimension(foldedOption name: String) -> Int? { optionDimensions[name] }

    /// - Parameter value: the value; in lower case for an option.
    /// - Returns: nil when nothing in the catalogue has the value.
    func attribute(_ dimension: Int, _ value: String) -> Int? { numbers[Attribute(dimension: dimension, value: value)] }

    mutating func insert(_ dimension: Int, _ value: String) -> Int {
        number(dimension, value, spelling: value)
    }

    mutating func insert(option name: String, value: String) -> Int {
        let choice = OptionChoice(name: name, value: value)
        if let known = choices[choice] { return known }
        let attribute = number(optionDimension(name), value.lowercased(), spelling: value)
        choices[choice] = attribute
        return attribute
    }

    private mutating func optionDimension(_ name: String) -> Int {
        let folded = name.lowercased()
        if let known = optionDimensions[folded] { return known }
        dimensions.append("option." + name)
        optionDimensions[folded] = dimensions.count - 1
        return dimensions.count - 1
    }

    private mutating func number(_ dimension: Int, _ value: String, spelling: String) -> Int {
        let key = Attribute(dimension: dimension, value: value)
        if let known = numbers[key] { return known }
        attributes.append(Attribute(dimension: dimension, value: spelling))
        numbers[key] = attributes.count - 1
        return attributes.count - 1
    }
}

/// Many short lists of numbers in one block of memory.
struct NumberLists: Sendable {
    private var starts: [Int32] = [0]
    private var numbers: [Int32] = []

    var count: Int { starts.count - 1 }

    mutating func append(_ list: some Sequence<Int>) {
        numbers.append(contentsOf: list.lazy.map(Int32.init))
        starts.append(Int32(numbers.count))
    }

    /// Calls the body with each number of a list; faster than slices, each of which is reference-counted.
    @inline(__always)
    func forEach(in list: Int, _ body: (Int) -> Void) {
        for place in Int(starts[list])..<Int(starts[list + 1]) { body(Int(numbers[place])) }
    }
}
