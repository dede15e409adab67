import Foundation
import PouchEntities
import PouchWire

extension Contract {
    public static let shop = Exchange<NoBody, ShopProfile>(.shop)
    public static let seasons = Exchange<NoBody, Page<Season>>(.seasons, .cached)
    public static let themes = Exchange<NoBody, Page<Theme>>(.themes, query: SeasonQuery.self, .cached)
    public static let categories = Exchange<NoBody, Page<Category>>(.categories, query: SeasonQuery.self, .cached)
    public static let promotions = Exchange<NoBody, Page<Promotion>>(.promotions, .cached)
    public static let products = Exchange<NoBody, ProductPage>(
        .products, query: ProductQuery.self, .cached, problems: [.cursorExpired])
    public static let product = Exchange<NoBody, Product>(.product, query: NoQuery.self, .cached)
    public static let availability = Exchange<NoBody, Page<Availability>>(.availability, query: AvailabilityQuery.self)

    static let catalog: [any AnyExchange] = [
        shop, seasons, themes, categories, promotions, products, product, availability,
    ]
}

/// The query of `themes` and `categories`.
public struct SeasonQuery: QueryDecodable {
    /// nil for all seasons.
    public let season: String?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        season = try reader.text("season")
        page = try PageQuery(from: &reader)
    }
}

/// The query of `availability`.
public struct AvailabilityQuery: QueryDecodable {
    public let skus: [String]

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        skus = try reader.list("sku", count: Limits.availabilitySKUs)
    }
}

extension ProductQuery: QueryDecodable {
    private static let optionPrefix = "option."

    /// The query string of `GET /v1/products`, with the options in the order of their names.
    public var queryString: QueryString {
        var query = QueryString()
        query.append("season", season)
        query.append("theme", theme)
        query.append("category", category)
        query.append("tag", tag)
        for (name, values) in options.sorted(by: { $0.key < $1.key }) {
            for value in values { query.append(Self.optionPrefix + name, value) }
        }
        query.append("minPrice", (minPrice?.amount).map(String.init))
        query.append("maxPrice", (maxPrice?.amount).map(String.init))
        // Writes both of two different currencies; readers refuse a repeated parameter.
        for currency in Set([minPrice, maxPrice].compactMap(\.?.currency.code)).sorted() {
            query.append("currency", currency)
        }
        query.append("inStock", inStock.map(String.init))
        query.append("q", search)
        query.append("sort", sort?.rawValue)
        query.append("facets", facets ? "true" : nil)
        query.append("limit", limit.map(String.init))
        query.append("cursor", cursor)
        return query
    }

    /// Parses the form of `queryString`. Without the parameter `currency`, prices are in that of the reader's shop.
    public init(from reader: inout QueryReader) throws(QueryProblem) {
        self.init()
        season = try reader.text("season")
        theme = try reader.text("theme")
        category = try reader.text("category")
        tag = try reader.text("tag")
        options = reader.repeated(prefix: Self.optionPrefix)
        (minPrice, maxPrice) = try reader.prices("minPrice", "maxPrice")
        inStock = try reader.flag("inStock")
        search = try reader.text("q")?.trimmingCharacters(in: .whitespaces)
        if search?.isEmpty == true { search = nil }
        sort = try reader.word("sort", ProductSort.self)
        facets = try reader.flag("facets") ?? false
        let page = try PageQuery(from: &reader)
        (limit, cursor) = (page.limit, page.cursor)
        if sort == .relevance, search == nil {
            throw QueryProblem(name: "sort", detail: "sort=relevance needs a search text in q.")
        }
    }
}
