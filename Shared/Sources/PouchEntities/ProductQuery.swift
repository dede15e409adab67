import PouchJSON

/// The filters, the order and the page of a list of products.
///
///     let query = ProductQuery(category: "cardigans", options: ["Size": ["S", "M"]], inStock: true)
public struct ProductQuery: Sendable, Hashable {
    public var season: String?
    public var theme: String?
    /// The id of a category.
    public var category: String?
    public var tag: String?
    /// The accepted values by option name. A product matches if one of its variants has an accepted value for every
    /// option.
    public var options: [String: [String]]
    /// The minimum price, inclusive. A server refuses a currency other than its own; a local store then finds no
    /// product.
    public var minPrice: Money?
    /// The maximum price, inclusive, in a currency as for `minPrice`.
    public var maxPrice: Money?
    /// true: only products with a variant in stock that matches `options`; false: only products without one.
    public var inStock: Bool?
    /// Search words; each must match the start of a word, with small typos allowed.
    public var search: String?
    /// The order; nil for `relevance` with a search text, otherwise `newest`.
    public var sort: ProductSort?
    /// Whether the page has facets.
    public var facets: Bool
    public var limit: Int?
    public var cursor: String?

    public init(
        season: String? = nil, theme: String? = nil, category: String? = nil, tag: String? = nil,
        options: [String: [String]] = [:], minPrice: Money? = nil, maxPrice: Money? = nil, inStock: Bool? = nil,
        search: String? = nil, sort: ProductSort? = nil, facets: Bool = false, limit: Int? = nil, cursor: String? = nil
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

    /// The selected values by option, both in lower case, without options that have no selected values.
    public var foldedOptions: [String: Set<String>] {
        var folded: [String: Set<String>] = [:]
        for (name, values) in options where !values.isEmpty {
            folded[name.lowercased(), default: []].formUnion(values.map { $0.lowercased() })
        }
        return folded
    }
}

/// The order of a list of products; ties are ordered by id.
public enum ProductSort: String, Codable, JSONCodable, CaseIterable {
    /// Latest first, by the time at which the product was added to the catalogue.
    case newest
    case priceAscending
    case priceDescending
    /// By name, ignoring case and accents.
    case name
    /// Best match first. Requires a search text, and is the default with one.
    case relevance
}
