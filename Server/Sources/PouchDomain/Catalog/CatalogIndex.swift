import PouchEntities

/// The part of a catalogue version that queries need and sales do not change; shared by all its snapshots.
///
/// Products are numbered in the order of their ids, so comparing numbers compares ids; variants are numbered product by
/// product. A product without variants gets one without options that is never in stock.
final class CatalogIndex: Sendable {
    /// With the products in the order of their ids.
    let content: CatalogContent
    let attributes: AttributeTable
    let productAttributes: NumberLists
    let variantAttributes: NumberLists
    let search: WordIndex

    /// By product, in minor units.
    let prices: [Int64]
    private let foldedNames: [String]
    private let variantStarts: [Int]
    private let orders: [ProductSort: [Int]]
    let numbersByHandle: [String: Int]
    let numbersById: [String: Int]
    let variantsBySKU: [String: VariantPlace]

    /// The numbers of a variant and its product.
    struct VariantPlace: Sendable {
        let product: Int
        /// Among all variants of the catalogue.
        let variant: Int
    }

    init(_ content: CatalogContent, isSearchable: Bool) {
        var content = content
        content.products.sort { $0.id < $1.id }
        self.content = content
        let products = content.products

        var attributes = AttributeTable()
        var productAttributes = NumberLists()
        var variantAttributes = NumberLists()
        var variantStarts = [0]
        var variantsBySKU: [String: VariantPlace] = [:]
        for (number, product) in products.enumerated() {
            productAttributes.append(Self.attributes(of: product, numberedBy: &attributes))
            for variant in product.variants {
                variantsBySKU[variant.sku] = VariantPlace(product: number, variant: variantAttributes.count)
                variantAttributes.append(Self.attributes(of: variant, numberedBy: &attributes))
            }
            if product.variants.isEmpty { variantAttributes.append([]) }
            variantStarts.append(variantAttributes.count)
        }
        self.attributes = attributes
        self.productAttributes = productAttributes
        self.variantAttributes = variantAttributes
        self.variantStarts = variantStarts
        self.variantsBySKU = variantsBySKU

        numbersByHandle = products.enumerated().byKey { ($0.element.handle, $0.offset) }
        numbersById = products.enumerated().byKey { ($0.element.id, $0.offset) }

        prices = products.map(\.price.amount)
        let foldedNames = products.map { WordIndex.sortKey($0.name) }
        self.foldedNames = foldedNames
        var orders: [ProductSort: [Int]] = [:]
        for sort in [ProductSort.newest, .priceAscending, .priceDescending, .name] {
            let keys = products.indices.map { Self.key(of: products[$0], name: foldedNames[$0], sort: sort, score: 0) }
            orders[sort] = products.indices.sorted { keys[$0].precedes(keys[$1], in: sort) }
        }
        self.orders = orders
        search = WordIndex(isSearchable ? SearchDocument.all(content) : [])
    }

    var productCount: Int { prices.count }

    /// By variant, as they were loaded.
    var loadedAvailability: [Int] {
        content.products.flatMap { $0.variants.isEmpty ? [0] : $0.variants.map(\.available) }
    }

    func variants(of product: Int) -> Range<Int> { variantStarts[product]..<variantStarts[product + 1] }

    /// All products in that order; empty for relevance, which depends on the query.
    func order(_ sort: ProductSort) -> [Int] { orders[sort] ?? [] }

    func key(_ product: Int, sort: ProductSort, score: Int) -> SortKey {
        Self.key(of: content.products[product], name: foldedNames[product], sort: sort, score: score)
    }

    private static func key(of product: Product, name: String, sort: ProductSort, score: Int) -> SortKey {
        switch sort {
        case .newest: SortKey(number: 0, text: "", id: product.id)
        case .priceAscending, .priceDescending: SortKey(number: product.price.amount, text: "", id: product.id)
        case .name: SortKey(number: 0, text: name, id: product.id)
        case .relevance: SortKey(number: Int64(score), text: "", id: product.id)
        }
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

    /// In the order of the option names, so that every process numbers and spells them alike.
    private static func attributes(of variant: Variant, numberedBy table: inout AttributeTable) -> [Int] {
        variant.options.sorted { $0.key < $1.key }.map { table.insert(option: $0.key, value: $0.value) }
    }
}

/// Numbers for everything that products and variants can be filtered by. An attribute is a value of a dimension, such
/// as category or the option Size.
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

    /// Named like the query parameters that filter by them. The first four belong to products, the others, the options,
    /// to variants.
    private(set) var dimensions = ["category", "season", "theme", "tag"]
    private(set) var attributes: [Attribute] = []
    /// By attribute, with the values of options in lower case.
    private var numbers: [Attribute: Int] = [:]
    private var optionDimensions: [String: Int] = [:]
    /// Caches the folding of spellings.
    private var choices: [OptionChoice: Int] = [:]

    /// The dimension of an option by its name in lower case; nil when no variant has that option.
    func dimension(foldedOption name: String) -> Int? { optionDimensions[name] }

    /// - Parameter value: in lower case for an option.
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
    private var starts = [0]
    private var numbers: [Int] = []

    var count: Int { starts.count - 1 }

    mutating func append(_ list: some Sequence<Int>) {
        numbers.append(contentsOf: list)
        starts.append(numbers.count)
    }

    /// Calls the body with each number of a list; faster than slices, each of which is reference-counted.
    @inline(__always)
    func forEach(in list: Int, _ body: (Int) -> Void) {
        for place in starts[list]..<starts[list + 1] { body(numbers[place]) }
    }
}
