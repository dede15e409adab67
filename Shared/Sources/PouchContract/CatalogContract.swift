import Foundation
import PouchEntities
import PouchWire

extension Contract {
    public static let shop = Exchange<NoInput, ShopProfile>(
        "shop", .get, "/v1/shop", .anyone,
        about: "Returns the country, the currency and the time zone of the shop.")
    public static let seasons = Exchange<PageQuery, Page<Season>>(
        "seasons", .get, "/v1/seasons", .anyone, .cached,
        about: "Lists the seasons of the catalogue.")
    public static let themes = Exchange<SeasonQuery, Page<Theme>>(
        "themes", .get, "/v1/themes", .anyone, .cached,
        about: "Lists the themes of one season or all seasons.")
    public static let categories = Exchange<SeasonQuery, Page<Category>>(
        "categories", .get, "/v1/categories", .anyone, .cached,
        about: "Lists the categories with the number of their products.")
    public static let promotions = Exchange<PageQuery, Page<Promotion>>(
        "promotions", .get, "/v1/promotions", .anyone, .cached,
        about: "Lists the products on the front page, in the shop's order.")
    public static let products = Exchange<ProductQuery, ProductPage>(
        "products", .get, "/v1/products", .anyone, .cached, problems: [.cursorExpired],
        about: "Lists products that match all filters. Options are filters, too: option.Colour=Navy.")
    public static let product = Exchange<NoQuery, Product>(
        "product", .get, "/v1/products/{handle}", .anyone, .cached,
        about: "Returns a product with its variants.")
    public static let availability = Exchange<AvailabilityQuery, Page<Availability>>(
        "availability", .get, "/v1/availability", .anyone,
        about: "Returns the current prices and stock of 1 to 100 SKUs. Repeat the parameter for several.")

    static let catalogExchanges: [any AnyExchange] = [
        shop, seasons, themes, categories, promotions, products, product, availability,
    ]
}

/// The query of `themes` and `categories`.
public struct SeasonQuery: PagedQuery {
    /// nil for all seasons.
    public var season: String?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("season", &season)
        try page.code(&coder)
    }
}

/// The query of `availability`.
public struct AvailabilityQuery: QueryType {
    public var skus: [String] = []

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.list("sku", &skus, count: Limits.availabilitySKUs)
    }
}

extension ProductQuery: QueryType {
    public init() { self.init(season: nil) }

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("season", &season)
        try coder.text("theme", &theme)
        try coder.text("category", &category)
        try coder.text("tag", &tag)
        coder.repeated(prefix: "option.", &options)
        try coder.prices("minPrice", &minPrice, "maxPrice", &maxPrice)
        try coder.flag("inStock", &inStock)
        try coder.text("q", &search)
        try coder.word("sort", &sort)
        try coder.flag("facets", &facets)
        var page = PageQuery(limit: limit, cursor: cursor)
        try page.code(&coder)
        (limit, cursor) = (page.limit, page.cursor)
        guard coder.isReading else { return }
        search = search?.trimmingCharacters(in: .whitespaces)
        if search?.isEmpty == true { search = nil }
        if sort == .relevance, search == nil {
            throw QueryProblem(name: "sort", detail: "sort=relevance requires a search text in q.")
        }
    }
}
