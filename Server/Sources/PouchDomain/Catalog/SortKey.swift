import PouchEntities

/// What decides a product's place in a sorted list.
struct SortKey: Codable, Sendable, Equatable {
    /// The price in minor units or the score; 0 where the sort looks at neither.
    let number: Int64
    /// The folded name; empty where the sort does not look at it.
    let text: String
    let id: String

    /// Whether this key comes before the other; a total order, as ids are unique.
    func precedes(_ other: SortKey, in sort: ProductSort) -> Bool {
        switch sort {
        case .newest: id > other.id
        case .priceAscending: (number, id) < (other.number, other.id)
        case .priceDescending, .relevance: number == other.number ? id < other.id : number > other.number
        case .name: (text, id) < (other.text, other.id)
        }
    }
}
