import PouchEntities

/// Finds, orders and counts the products of a catalogue in memory.
struct MemoryListing {
    private let query: ProductQuery
    private let sort: ProductSort
    private let words: [String]
    private var options: [String: Set<String>]

    init(_ query: ProductQuery) {
        self.query = query
        sort = query.effectiveSort
        words = query.searchWords
        options = query.foldedOptions
    }

    func page(of catalog: MemoryCatalog) throws(StoreError) -> ProductPage {
        let start = try ProductPosition(cursorOf: query)
        var found = catalog.entries.values.filter(matches).map { (position($0), $0.product) }
        let facets = query.facets ? facets(catalog) : nil
        if let start { found.removeAll { !start.precedes($0.0, in: sort) } }
        found.sort { $0.0.precedes($1.0, in: sort) }
        let page = found.prefix(query.pageSize)
        return ProductPage(
            items: page.map(\.1),
            nextCursor: page.count < found.count ? page.last?.0.cursor(of: query) : nil,
            facets: facets)
    }

    private func position(_ entry: MemoryCatalog.Entry) -> ProductPosition {
        let product = entry.product
        return switch sort {
        case .newest: ProductPosition(id: product.id)
        case .priceAscending, .priceDescending: ProductPosition(number: product.price.amount, id: product.id)
        case .name: ProductPosition(text: entry.nameWords.joined(separator: " "), id: product.id)
        case .relevance: ProductPosition(number: entry.nameWords.beginWith(words) ? 0 : 1, id: product.id)
        }
    }

    private func matches(_ entry: MemoryCatalog.Entry) -> Bool {
        let product = entry.product
        guard query.category == nil || product.category == query.category,
            query.season == nil || product.seasonId == query.season,
            query.theme == nil || product.themeId == query.theme,
            query.tag.map(product.tags.contains) ?? true,
            product.price.amount >= query.minPrice ?? .min, product.price.amount <= query.maxPrice ?? .max
        else { return false }
        guard words.isEmpty || (entry.nameWords + entry.otherWords).beginWith(words) else { return false }
        guard !options.isEmpty || query.inStock != nil else { return true }
        let wanted = product.variants.filter(matches)
        return switch query.inStock {
        case nil: !wanted.isEmpty
        case true?: wanted.contains { $0.available > 0 }
        case false?: !wanted.isEmpty && !wanted.contains { $0.available > 0 }
        }
    }

    private func matches(_ variant: Variant) -> Bool {
        options.allSatisfy { name, values in
            variant.options.contains { $0.key.lowercased() == name && values.contains($0.value.lowercased()) }
        }
    }

    /// Counts for each value the products that would be listed were it the one wanted value of its facet.
    private func facets(_ catalog: MemoryCatalog) -> [Facet] {
        var list = FacetList()
        func count(_ name: String, without change: (inout ProductQuery) -> Void, _ values: (Product) -> [String]) {
            var query = query
            change(&query)
            let listing = MemoryListing(query)
            for entry in catalog.entries.values where listing.matches(entry) {
                for value in Set(values(entry.product)) { list.add(name, value: value, count: 1) }
            }
        }
        count("category", without: { $0.category = nil }) { [$0.category] }
        count("season", without: { $0.season = nil }) { $0.seasonId.map { [$0] } ?? [] }
        count("theme", without: { $0.theme = nil }) { $0.themeId.map { [$0] } ?? [] }
        count("tag", without: { $0.tag = nil }) { $0.tags }
        for entry in catalog.entries.values {
            let choices = Set(entry.product.variants.flatMap { $0.options.map { [$0.key, $0.value] } })
            for choice in choices {
                var listing = self
                listing.options[choice[0].lowercased()] = [choice[1].lowercased()]
                if listing.matches(entry) { list.add("option." + choice[0], value: choice[1], count: 1) }
            }
        }
        return list.facets
    }
}

extension [String] {
    /// Whether each of the words is the beginning of one of these.
    fileprivate func beginWith(_ words: [String]) -> Bool {
        words.allSatisfy { word in contains { $0.hasPrefix(word) } }
    }
}
