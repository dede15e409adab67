import PouchEntities

/// A filter of a listing, made from one of its facets.
struct ListingFilter {
    struct Value {
        let value: String
        let name: String
        /// The number of products with this value.
        let count: Int

        var label: String { "\(name) (\(count))" }
    }

    private static let optionPrefix = "option."

    /// The name of the facet.
    let name: String
    let values: [Value]
    /// The index of the selected value; nil for any.
    let selected: Int?

    /// Returns the filters that offer a choice, or that have a selected value.
    ///
    /// - Parameter names: the names of facet values that are ids, by facet.
    static func all(_ facets: [Facet], _ names: [String: [String: String]], _ query: ProductQuery) -> [ListingFilter] {
        facets.compactMap { facet in
            let selected = parameter(facet.name).flatMap { query[keyPath: $0] }
            var counts = facet.values.map { ($0.value, $0.count) }
            // A selected value remains visible even if no product has it any more.
            if let selected, !counts.contains(where: { $0.0 == selected }) { counts.append((selected, 0)) }
            guard counts.count > 1 || selected != nil else { return nil }
            let values = counts.map { Value(value: $0, name: names[facet.name]?[$0] ?? $0, count: $1) }
            return ListingFilter(name: facet.name, values: values, selected: values.firstIndex { $0.value == selected })
        }
    }

    var label: String {
        let word = Self.option(name) ?? name
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// - Parameter value: nil for any.
    func select(_ value: String?, in query: inout ProductQuery) {
        if let parameter = Self.parameter(name) { query[keyPath: parameter] = value }
    }

    /// The parameter of the query that a facet filters by; nil for an unknown facet.
    private static func parameter(_ name: String) -> WritableKeyPath<ProductQuery, String?>? {
        switch name {
        case "category": \.category
        case "season": \.season
        case "theme": \.theme
        case "tag": \.tag
        default: option(name).map { \.options[first: $0] }
        }
    }

    /// The product option of a facet; nil for other facets.
    private static func option(_ name: String) -> String? {
        name.hasPrefix(optionPrefix) ? String(name.dropFirst(optionPrefix.count)) : nil
    }
}

extension [String: [String]] {
    /// The single selected value of an option.
    fileprivate subscript(first option: String) -> String? {
        get { self[option]?.first }
        set { self[option] = newValue.map { [$0] } }
    }
}
