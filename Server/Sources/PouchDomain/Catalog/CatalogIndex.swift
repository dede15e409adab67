import PouchEntities

/// What queries need to know of a version of the catalogue and sales do not change; shared by all its snapshots.
///
/// Products are numbered in the order of their ids, so comparing numbers is comparing ids; variants are numbered
/// product by product. A product without variants has one without options in their place, which is never in stock.
final class CatalogIndex: Sendable {
    /// With the products in the order of their ids.
    let content: CatalogContent
    let attributes: AttributeTable
    let productAttributes: NumberLists
    let variantAttributes: NumberLists
    let search: any CatalogSearch

    /// By product, in minor units.
    let prices: [Int64]
    private let foldedNames: [String]
    private let variantStarts: [Int]
    private let orders: [ProductSort: [Int]]
    private let numbersByHandle: [String: Int]
    private let numbersById: [String: Int]
    private let variantsBySKU: [String: VariantPlace]

    /// Where a variant stands.
    struct VariantPlace: Sendable {
        let product: Int
        /// Among all variants of the catalogue.
        let variant: Int
    }

    init(_ content: CatalogContent, search makeSearch: ([SearchDocument]) -> any CatalogSearch) {
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

        numbersByHandle = Dictionary(zip(products.map(\.handle), 0...)) { first, _ in first }
        numbersById = Dictionary(zip(products.map(\.id), 0...)) { first, _ in first }

        prices = products.map(\.price.amount)
        let foldedNames = products.map { WordIndex.sortKey($0.name) }
        self.foldedNames = foldedNames
        var orders: [ProductSort: [Int]] = [:]
        for sort in [ProductSort.newest, .priceAscending, .priceDescending, .name] {
            let keys = products.indices.map { Self.key(of: products[$0], name: foldedNames[$0], sort: sort, score: 0) }
            orders[sort] = products.indices.sorted { keys[$0].precedes(keys[$1], in: sort) }
        }
        self.orders = orders
        search = makeSearch(SearchDocument.all(content))
    }

    var productCount: Int { prices.count }

    /// By variant, as they were loaded.
    var loadedAvailability: [Int] {
        content.products.flatMap { $0.variants.isEmpty ? [0] : $0.variants.map(\.available) }
    }

    func variants(of product: Int) -> Range<Int> { variantStarts[product]..<variantStarts[product + 1] }

    func variant(sku: String) -> VariantPlace? { variantsBySKU[sku] }

    func product(handle: String) -> Int? { numbersByHandle[handle] }

    func product(id: String) -> Int? { numbersById[id] }

    /// All products in that order; empty for relevance, whose order depends on the query.
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

    /// In the order of the options' names, so that every process numbers and spells them alike.
    private static func attributes(of variant: Variant, numberedBy table: inout AttributeTable) -> [Int] {
        variant.options.sorted { $0.key < $1.key }.map { table.insert(option: $0.key, value: $0.value) }
    }
}
