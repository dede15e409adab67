import PouchJSON

/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// The opaque cursor of the next page; nil on the last page.
    public let nextCursor: String?

    public init(items: [Item], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

extension Page: Codable, JSONCodable, JSONModel where Item: JSONCodable {
    public static var json: JSONObject<Page, ([Item]?, String??)> {
        JSONObject(Page.init, .field("items", \.items), .field("nextCursor", \.nextCursor))
    }
}
extension Page: Equatable where Item: Equatable {}

/// One page of products, with facets if the query asked for them.
public struct ProductPage: JSONModel, Equatable {
    public let items: [Product]
    public let nextCursor: String?
    public let facets: [Facet]?

    public init(items: [Product], nextCursor: String? = nil, facets: [Facet]? = nil) {
        self.items = items
        self.nextCursor = nextCursor
        self.facets = facets
    }

    public static let json = JSONObject(
        ProductPage.init, .field("items", \.items), .field("nextCursor", \.nextCursor), .field("facets", \.facets))
}

/// The values of one filter, each with the number of matching products.
///
/// They are counted as if this filter were not set, so that a shopper can switch from one value to another.
public struct Facet: JSONModel, Hashable {
    public struct Value: JSONModel, Hashable {
        public let value: String
        /// The number of products that match the value and all other filters.
        public let count: Int

        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }

        public static let json = JSONObject(Facet.Value.init, .field("value", \.value), .field("count", \.count))
    }

    /// The query parameter of the filter: `category`, `season`, `theme`, `tag` or `option.` followed
    /// by an option's name.
    public let name: String
    /// The values, most frequent first.
    public let values: [Value]

    public init(name: String, values: [Value]) {
        self.name = name
        self.values = values
    }

    public static let json = JSONObject(Facet.init, .field("name", \.name), .field("values", \.values))
}
