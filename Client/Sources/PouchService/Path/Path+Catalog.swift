import PouchWire

extension Path {
    public enum Catalog: Sendable, Hashable {
        case seasons(limit: Int? = nil, cursor: String? = nil)
        case themes(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case categories(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case promotions(limit: Int? = nil, cursor: String? = nil)
        case products(QueryString)
        case product(handle: String)
        case availability(skus: [String])

        var target: Target {
            switch self {
            case .seasons(let limit, let cursor):
                Target(.seasons, limit: limit, cursor: cursor)
            case .themes(let season, let limit, let cursor):
                Target(.themes, filter: ("season", season), limit: limit, cursor: cursor)
            case .categories(let season, let limit, let cursor):
                Target(.categories, filter: ("season", season), limit: limit, cursor: cursor)
            case .promotions(let limit, let cursor):
                Target(.promotions, limit: limit, cursor: cursor)
            case .products(let query):
                Target(.products, query: query)
            case .product(let handle):
                Target(.product, ["handle": handle])
            case .availability(let skus):
                Target(.availability, query: QueryString(skus.map { .init(name: "sku", value: $0) }))
            }
        }
    }
}
