import PouchEntities

/// One respect in which a listing can be narrowed, out of its facets.
struct ListingFilter {
    struct Value {
        let value: String
        let name: String
        /// nil where it is not known.
        let count: Int?

        var label: String { count.map { "\(name) (\($0))" } ?? name }
    }

    private static let optionPrefix = "option."

    /// As the facet is called.
    let name: String
    let values: [Value]
    /// nil for any.
    let selected: Int?

    /// Those that leave a choice, or that were chosen. Seasons and themes are known by their ids alone, which mean nothing
    /// to people: there only the one that was chosen can be kept or dropped.
    static func all(_ facets: [Facet], _ categories: [Category], _ query: ProductQuery) -> [ListingFilter] {
        let names = Dictionary(categories.map { ($0.id, $0.name) }) { first, _ in first }
        let filters = facets.compactMap { facet -> ListingFilter? in
            guard !nameless.contains(facet.name) else { return nil }
            let chosen = chosen(facet.name, query)
            var values = facet.values.map { value in
                Value(
                    value: value.value,
                    name: facet.name == "category" ? names[value.value] ?? value.value : value.value,
                    count: value.count)
            }
            // What was chosen stays to be seen, also where nothing has it any more.
            if let chosen, !values.contains(where: { $0.value == chosen }) {
                values.append(Value(value: chosen, name: names[chosen] ?? chosen, count: 0))
            }
            guard values.count > 1 || chosen != nil else { return nil }
            return ListingFilter(name: facet.name, values: values, selected: values.firstIndex { $0.value == chosen })
        }
        return nameless.compactMap { name in
            chosen(name, query).map { value in
                ListingFilter(name: name, values: [Value(value: value, name: "this one", count: nil)], selected: 0)
            }
        } + filters
    }

    private static let nameless = ["season", "theme"]

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
