import Foundation
import PouchEntities
import PouchWire

extension ProductQuery: QueryDecodable {
    private static let optionPrefix = "option."

    /// The query as `GET /v1/products` takes it; options in the order of their names.
    public var queryString: QueryString {
        var query = QueryString()
        query.append("season", season)
        query.append("theme", theme)
        query.append("category", category)
        query.append("tag", tag)
        for (name, values) in options.sorted(by: { $0.key < $1.key }) {
            for value in values { query.append(Self.optionPrefix + name, value) }
        }
        query.append("minPrice", minPrice.map(String.init))
        query.append("maxPrice", maxPrice.map(String.init))
        query.append("inStock", inStock.map(String.init))
        query.append("q", search)
        query.append("sort", sort?.rawValue)
        query.append("facets", facets ? "true" : nil)
        query.append("limit", limit.map(String.init))
        query.append("cursor", cursor)
        return query
    }

    /// Reads what `queryString` writes.
    public init(from reader: inout QueryReader) throws(QueryProblem) {
        self.init()
        season = try reader.text("season")
        theme = try reader.text("theme")
        category = try reader.text("category")
        tag = try reader.text("tag")
        options = reader.repeated(prefix: Self.optionPrefix)
        minPrice = try reader.integer("minPrice", in: 0...Int64.max)
        maxPrice = try reader.integer("maxPrice", in: 0...Int64.max)
        inStock = try reader.flag("inStock")
        search = try reader.text("q")?.trimmingCharacters(in: .whitespaces)
        if search?.isEmpty == true { search = nil }
        sort = try reader.word("sort", ProductSort.self)
        facets = try reader.flag("facets") ?? false
        (limit, cursor) = try reader.page()
        if sort == .relevance, search == nil {
            throw QueryProblem(name: "sort", detail: "sort=relevance needs a search text in q.")
        }
    }
}
