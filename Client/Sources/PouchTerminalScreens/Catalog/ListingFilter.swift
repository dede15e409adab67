import PouchEntities

/// One respect in which a listing can be narrowed, out of its facets.
struct ListingFilter {
    struct Value {
        let value: String
        let name: String
        /// Products that would remain.
        let count: Int

        var label: String { "\(name) (\(count))" }
    }

    private static let optionPrefix = "option."

    /// As the facet is called.
    let name: String
    let values: [Value]
    /// nil for any.
    let selected: Int?

    /// - Parameter names: what the values of facets that are ids are called, by facet.
    /// - Returns: those that leave a choice, or that were chosen.
    static func all(
        _ facets: [Facet], _ names: [String: [String: String]], _ query: ProductQuery
    ) -> [ListingFilter] {
        facets.compactMap { facet in
            let chosen = chosen(facet.name, query)
            var counts = facet.values.map { ($0.value, $0.count) }
            // What was chosen stays to be seen, also where nothing has it any more.
            if let chosen, !counts.contains(where: { $0.0 == chosen }) { counts.append((chosen, 0)) }
            guard counts.count > 1 || chosen != nil else { return nil }
            let values = counts.map { Value(value: $0, name: names[facet.name]?[$0] ?? $0, count: $1) }
            return ListingFilter(name: facet.name, values: values, selected: values.firstIndex { $0.value == chosen })
        }
    }

    var label: String {
        let word = name.hasPrefix(Self.optionPrefix) ? String(name.dropFirst(Self.optionPrefix.count)) : name
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// - Parameter value: nil for any.
    func select(_ value: String?, in query: inout ProductQuery) {
        switch name {
        case "category": query.category = value
        case "season": query.season = value
        case "theme": query.theme = value
        case "tag": query.tag = value
        default: query.options[option] = value.map { [$0] }
        }
    }

    private var option: String { String(name.dropFirst(Self.optionPrefix.count)) }

    private static func chosen(_ name: String, _ query: ProductQuery) -> String? {
        switch name {
        case "category": query.category
        case "season": query.season
        case "theme": query.theme
        case "tag": query.tag
        default: name.hasPrefix(optionPrefix) ? query.options[String(name.dropFirst(optionPrefix.count))]?.first : nil
        }
    }
}
