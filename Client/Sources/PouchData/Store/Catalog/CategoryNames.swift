import PouchEntities

/// The names of categories by their ids.
package struct CategoryNames {
    private let names: [String: String]

    package init(_ categories: [PouchEntities.Category]?) {
        names = Dictionary((categories ?? []).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Those that have products, by id; a category whose name is not known is named by its id.
    package func categories(_ counts: [String: Int]) -> [PouchEntities.Category] {
        counts.filter { $0.value > 0 }
            .map { PouchEntities.Category(id: $0.key, name: names[$0.key] ?? $0.key, productCount: $0.value) }
            .sorted { $0.id < $1.id }
    }
}
