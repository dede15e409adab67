import PouchEntities

/// Counts products by facet and value, as they are spelled.
struct MemoryFacets {
    struct Choice: Hashable {
        let option: String
        let value: String
    }

    private var fixed: [String: [String: Int]] = [:]
    private var choices: [Choice: Int] = [:]

    mutating func add(_ name: String, _ value: String) { fixed[name, default: [:]][value, default: 0] += 1 }

    mutating func add(_ choice: Choice) { choices[choice, default: 0] += 1 }

    var facets: [Facet] {
        var list = FacetList()
        for (name, values) in fixed {
            for (value, count) in values { list.add(name, value: value, count: count) }
        }
        for (choice, count) in choices { list.add("option." + choice.option, value: choice.value, count: count) }
        return list.facets
    }
}
