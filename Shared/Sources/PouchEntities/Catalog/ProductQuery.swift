/// Which products to list, and how.
public struct ProductQuery: Sendable, Hashable {
    public var season: String?
    public var theme: String?
    /// The id of a category.
    public var category: String?
    public var tag: String?
    /// Wanted values by option name; a product matches when one of its variants has one of the values of every option.
    public var options: [String: [String]]
    /// Minor units of the shop's currency, inclusive.
    public var minPrice: Int64?
    /// Minor units of the shop's currency, inclusive.
    public var maxPrice: Int64?
    /// true: only products with a variant in stock that matches `options`; false: only those without.
    public var inStock: Bool?
    /// Words to look for; each must match a word's beginning, small typos allowed.
    public var search: String?
    /// nil: `relevance` with a search text, else `newest`.
    public var sort: ProductSort?
    /// Whether to count the values by which the result can be narrowed.
    public var facets: Bool
    public var limit: Int?
    public var cursor: String?

    public init(
        season: String? = nil,
        theme: String? = nil,
        category: String? = nil,
        tag: String? = nil,
        options: [String: [String]] = [:],
        minPrice: Int64? = nil,
        maxPrice: Int64? = nil,
        inStock: Bool? = nil,
        search: String? = nil,
        sort: ProductSort? = nil,
        facets: Bool = false,
        limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.season = season
        self.theme = theme
        self.category = category
        self.tag = tag
        self.options = options
        self.minPrice = minPrice
        self.maxPrice = maxPrice
        self.inStock = inStock
        self.search = search
        self.sort = sort
        self.facets = facets
        self.limit = limit
        self.cursor = cursor
    }
}
