import PouchEntities

/// A query for products of a catalogue in memory. It follows the rules of the server, as `ProductSelection` does in
/// SQL.
struct MemoryListing {
    private let query: ProductQuery
    private let sort: ProductSort
    private let words: [String]

    init(_ query: ProductQuery) {
        self.query = query
        sort = query.effectiveSort
        words = query.searchWords
    }

    func page(of catalog: MemoryCatalog) throws(StoreError) -> ProductPage {
        let start = try ProductPosition(cursorOf: query)
        var found: [(position: ProductPosition, product: Product)] = []
        let variants = VariantFilter(query) { catalog.choices }
        var counts = FacetList()
        var choiceCounts = VariantFilter.Counts()
        for entry in catalog.entries.values where matchesPriceAndWords(entry) {
            let product = entry.product
            let missed = missedFilters(product)
            guard missed.isEmpty || query.facets else { continue }
            if query.facets, missed.isEmpty { variants.count(entry.variants, into: &choiceCounts) }
            guard variants.matches(entry.variants) else { continue }
            if query.facets { count(product, missed, &counts) }
            guard missed.isEmpty else { continue }
            let position = position(entry)
            if start?.precedes(position, in: sort) ?? true { found.append((position, product)) }
        }
        variants.add(choiceCounts, to: &counts)
        found.sort { $0.position.precedes($1.position, in: sort) }
        let page = found.prefix(query.pageSize)
        return ProductPage(
            items: page.map(\.product),
            nextCursor: page.count < found.count ? page.last?.position.cursor(of: query) : nil,
            facets: query.facets ? counts.facets : nil)
    }

    private func position(_ entry: MemoryCatalog.Entry) -> ProductPosition {
        let product = entry.product
        return switch sort {
        case .newest: ProductPosition(id: product.id)
        case .priceAscending, .priceDescending: ProductPosition(number: product.price.amount, id: product.id)
        case .name: ProductPosition(text: product.foldedName, id: product.id)
        case .relevance:
            ProductPosition(number: words.allSatisfy(entry.nameWords.containPrefix) ? 0 : 1, id: product.id)
        }
    }

    // MARK: Filters

    private func matchesPriceAndWords(_ entry: MemoryCatalog.Entry) -> Bool {
        let price = entry.product.price
        if let least = query.minPrice, price.currency != least.currency || price.amount < least.amount { return false }
        if let most = query.maxPrice, price.currency != most.currency || price.amount > most.amount { return false }
        return words.allSatisfy { entry.nameWords.containPrefix($0) || entry.otherWords.containPrefix($0) }
    }

    private func missedFilters(_ product: Product) -> Filters {
        var missed: Filters = []
        if let category = query.category, product.category != category { missed.insert(.category) }
        if let season = query.season, product.seasonId != season { missed.insert(.season) }
        if let theme = query.theme, product.themeId != theme { missed.insert(.theme) }
        if let tag = query.tag, !product.tags.contains(tag) { missed.insert(.tag) }
        return missed
    }

    // MARK: Facets

    /// The count of a value is the number of products that would be listed if it were the only selected value of its
    /// facet.
    private func count(_ product: Product, _ missed: Filters, _ counts: inout FacetList) {
        func add(_ filter: Filters, _ name: String, _ values: some Sequence<String>) {
            guard missed.isSubset(of: filter) else { return }
            for value in values { counts.add(name, value: value) }
        }
        add(.category, "category", CollectionOfOne(product.category))
        if let season = product.seasonId { add(.season, "season", CollectionOfOne(season)) }
        if let theme = product.themeId { add(.theme, "theme", CollectionOfOne(theme)) }
        add(.tag, "tag", Set(product.tags))
    }

    private struct Filters: OptionSet {
        let rawValue: UInt8

        static let category = Filters(rawValue: 1)
        static let season = Filters(rawValue: 2)
        static let theme = Filters(rawValue: 4)
        static let tag = Filters(rawValue: 8)
    }
}

extension [String] {
    fileprivate func containPrefix(_ word: String) -> Bool { contains { $0.hasPrefix(word) } }
}
