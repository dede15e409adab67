import PouchEntities

/// Counts of values by the respect in which they narrow a list, put into the order of an answer.
package struct FacetList {
    /// The most values in one facet.
    private static let most = 100

    private struct Count {
        var name: String
        /// By the folded value.
        var values: [String: Facet.Value] = [:]
    }

    private let fixed = ["category", "season", "theme", "tag"]
    private var counts: [String: Count] = [:]

    package init() {}

    /// - Parameter name: `category`, `season`, `theme`, `tag` or `option.` and an option's name. Names and values that differ in
    ///   case alone are the same; the spelling that is first by its letters is kept.
    package mutating func add(_ name: String, value: String, count: Int) {
        let folded = name.hasPrefix("option.") ? value.lowercased() : value
        var facet = counts[name.lowercased()] ?? Count(name: name)
        let known = facet.values[folded]
        facet.name = min(facet.name, name)
        facet.values[folded] = Facet.Value(
            value: known.map { min($0.value, value) } ?? value, count: (known?.count ?? 0) + count)
        counts[name.lowercased()] = facet
    }

    /// Category, season, theme, tag, then the options by name; the most frequent values first.
    package var facets: [Facet] {
        let options = counts.keys.filter { !fixed.contains($0) }.sorted()
        return (fixed + options).compactMap { key in
            guard let count = counts[key] else { return nil }
            let frequentFirst = count.values.values.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
            return Facet(name: count.name, values: Array(frequentFirst.prefix(Self.most)))
        }
    }
}
