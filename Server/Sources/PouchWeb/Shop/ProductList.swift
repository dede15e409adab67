import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

/// A list of products: its place in the catalogue, and the visitor's choices.
///
/// It is parsed from an address, which may be arbitrary: invalid parts are ignored. It also creates the addresses of
/// the list's links.
struct ProductList: Sendable {
    enum Place: Sendable {
        case all
        case category(PouchEntities.Category)
        case season(Season)
        case search
    }

    /// The query parameters that change the list.
    static let parameters = [
        "category", "season", "theme", "tag", option + "*", "minPrice", "maxPrice", "inStock", "sort", "q", "cursor",
    ]
    static let option = "option."
    static let pageSize = 24
    /// The maximum number and size, in bytes, of option values in an address; a browser sends far fewer. For each
    /// value, the page has a link that contains all the others.
    private static let (maxChoices, maxChosenBytes) = (100, 2_000)
    private static let longestSearch = 200

    let place: Place
    /// The query, including the filter of the place, without the cursor.
    private(set) var query: ProductQuery
    /// Whether the address contained an invalid price, which was ignored.
    let hasWrongPrice: Bool
    /// The cursor in the address.
    let cursor: String?

    /// - Parameter visit: the visit, whose query has the filters. Filters with unknown values are ignored.
    init(_ place: Place, _ visit: Visit, _ catalog: CatalogReading, _ categories: [PouchEntities.Category]) {
        self.place = place
        let prices = ["minPrice", "maxPrice"].map { (typed: visit.query($0), Self.price($0, visit, catalog.currency)) }
        hasWrongPrice = prices.contains { $0.typed != nil && $0.1 == nil }
        cursor = visit.query("cursor")
        query = ProductQuery(facets: true, limit: Self.pageSize)
        query.category = visit.query("category").flatMap { id in
            categories.contains { $0.id == id } ? id : nil
        }
        query.season = visit.query("season").flatMap { id in catalog.seasons.contains { $0.id == id } ? id : nil }
        switch place {
        case .category(let category): query.category = category.id
        case .season(let season): query.season = season.id
        case .all, .search: break
        }
        query.theme = visit.query("theme").flatMap { id in
            catalog.themes(season: query.season).contains { $0.id == id } ? id : nil
        }
        query.tag = visit.query("tag").flatMap { $0.utf8.count <= Self.longestSearch ? $0 : nil }
        query.options = Self.options(visit)
        (query.minPrice, query.maxPrice) = (prices[0].1, prices[1].1)
        if let lowest = query.minPrice, let highest = query.maxPrice, lowest.amount > highest.amount {
            (query.minPrice, query.maxPrice) = (highest, lowest)
        }
        query.inStock = visit.query("inStock") == "true" ? true : nil
        query.search = visit.query("q").map {
            String($0.trimmingCharacters(in: .whitespaces).prefix(Self.longestSearch))
        }
        query.sort = visit.query("sort").flatMap(ProductSort.init)
        if query.sort == .relevance, query.search == nil { query.sort = nil }
    }

    private static func options(_ visit: Visit) -> [String: [String]] {
        var (options, room): ([String: [String]], Int) = ([:], maxChosenBytes)
        for item in visit.queryItems.prefix(maxChoices) where item.name.hasPrefix(option) && !item.value.isEmpty {
            let name = String(item.name.dropFirst(option.count))
            guard !name.isEmpty, options[name]?.contains(item.value) != true else { continue }
            room -= name.utf8.count + item.value.utf8.count
            guard room >= 0 else { break }
            options[name, default: []].append(item.value)
        }
        return options
    }

    private static func price(_ name: String, _ visit: Visit, _ currency: Currency) -> Money? {
        visit.query(name).flatMap { Money(typed: $0, currency: currency) }.flatMap { $0.amount < 0 ? nil : $0 }
    }

    // MARK: Addresses

    /// The path of the place.
    var path: String {
        switch place {
        case .all: PagePath.products
        case .category(let category): PagePath.category(category.id)
        case .season(let season): PagePath.season(season.id)
        case .search: PagePath.search
        }
    }

    /// The address of the list with its filters.
    func url(cursor: String? = nil) -> String {
        var parameters: [(name: String, value: String?)] = [
            ("q", query.search), ("theme", query.theme), ("category", isCategory ? nil : query.category),
            ("season", isSeason ? nil : query.season), ("tag", query.tag),
        ]
        for (name, values) in query.options.sorted(by: { $0.key < $1.key }) {
            parameters += values.map { (Self.option + name, $0) }
        }
        parameters += [
            ("minPrice", query.minPrice?.decimal), ("maxPrice", query.maxPrice?.decimal),
            ("inStock", query.inStock.map(String.init)), ("sort", query.sort?.rawValue), ("cursor", cursor),
        ]
        return PagePath.adding(parameters, to: path)
    }

    /// The address of the list with changed filters.
    func url(changing change: (inout ProductQuery) -> Void) -> String {
        var list = self
        change(&list.query)
        return list.url()
    }

    /// The address without the visitor's filters; a search keeps its words, and a season its theme.
    var clearURL: String {
        url { query in
            query = ProductQuery(
                season: isSeason ? query.season : nil, theme: isSeason ? query.theme : nil,
                category: isCategory ? query.category : nil, search: isSearch ? query.search : nil, sort: query.sort)
        }
    }

    var isCategory: Bool { if case .category = place { true } else { false } }
    var isSeason: Bool { if case .season = place { true } else { false } }
    var isSearch: Bool { if case .search = place { true } else { false } }

    // MARK: Pages

    /// The position of a page in its list, as encoded in a cursor.
    struct Position: Sendable, JSONModel {
        let position: ProductPosition
        /// The number of products before it.
        let start: Int

        static let json = JSONObject(
            Position.init(position:start:), .field("position", \.position), .field("start", \.start))
    }

    /// A page of the list. A cursor of another list or of an earlier catalogue starts at the first page.
    func page(_ catalog: CatalogReading, _ site: Site) throws -> (listing: ProductListing, start: Int, next: String?) {
        let position = cursor.flatMap { try? site.pager.cursors.position(Position.self, from: $0, for: "pages") }
        var (start, listing) = (0, ProductListing?.none)
        if let position, let found = try? catalog.page(query, after: position.position) {
            (start, listing) = (max(0, position.start), found)
        }
        let page = try listing ?? catalog.page(query, after: nil)
        let next = try page.next.map { next in
            try site.pager.cursors.cursor(Position(position: next, start: start + page.items.count), for: "pages")
        }
        return (page, start, next.map { url(cursor: $0) })
    }
}
