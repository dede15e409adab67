import PouchEntities

extension ProductQuery {
    /// The order in which the result is listed: by relevance only where there is a text to be relevant to.
    var effectiveSort: ProductSort {
        guard search == nil else { return sort ?? .relevance }
        return sort == .relevance ? .newest : sort ?? .newest
    }

    /// The wanted values by option, both in lower case; options without wanted values are left out.
    var foldedOptions: [String: Set<String>] {
        var folded: [String: Set<String>] = [:]
        for (name, values) in options where !values.isEmpty {
            folded[name.lowercased(), default: []].formUnion(values.map { $0.lowercased() })
        }
        return folded
    }

    /// A number for everything that decides which products are listed; the same in every process.
    var filterFingerprint: UInt64 {
        var hash = StableHash()
        for text in [
            season, theme, category, tag, search,
            minPrice.map(String.init), maxPrice.map(String.init), inStock.map(String.init),
        ] {
            hash.combine(text)
        }
        for (name, values) in foldedOptions.sorted(by: { $0.key < $1.key }) {
            hash.combine(name)
            for value in values.sorted() { hash.combine(value) }
            hash.combine(nil)
        }
        return hash.value
    }
}
