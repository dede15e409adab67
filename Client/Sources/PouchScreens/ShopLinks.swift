import Foundation
import PouchEntities

/// Links to the pages of a shop. A link either has the scheme `pouch`, or belongs to a shop's web address:
///
///     pouch://products?category=hats          https://shop.example/products?category=hats
///     pouch://products/rosa                   https://shop.example/products/rosa
///     pouch://orders/ord_1                    https://shop.example/orders/ord_1
///
/// The other pages are `home` (on the web, the address itself), `cart`, `account`, `sign-in`, `register` and `orders`,
/// and the app's own pages below `app`, such as `pouch://app/loyalty`. The query of a listing uses the API's names; the
/// position in the list is not part of a link.
extension ShopPage {
    /// The maximum length of a link that is read, in bytes.
    public static let longestLink = 2048
    private static let scheme = "pouch"
    /// The maximum length of an id, name or search text, in bytes.
    fileprivate static let longestText = 200
    fileprivate static let maxOptions = 50

    /// The page of a link; nil for a URL that is not one, or is out of bounds. Unknown names in its query are ignored.
    ///
    /// - Parameters:
    ///   - url: a URL of any origin.
    ///   - shop: the web address whose links are read; nil for links with the scheme `pouch` only.
    public init?(url: URL, of shop: URL? = nil) {
        guard url.absoluteString.utf8.count <= Self.longestLink,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.user == nil, parts.password == nil, parts.fragment == nil, let host = parts.host, !host.isEmpty,
            var path = LinkText.segments(parts.percentEncodedPath)
        else { return nil }
        if parts.scheme?.lowercased() == Self.scheme {
            guard parts.port == nil else { return nil }
            path.insert(host.lowercased(), at: 0)
        } else {
            guard let shop = shop.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }),
                Self.origin(parts) == Self.origin(shop), let base = LinkText.segments(shop.percentEncodedPath),
                path.starts(with: base)
            else { return nil }
            path.removeFirst(base.count)
            if path.isEmpty { path = ["home"] }
        }
        self.init(path: path, query: parts.percentEncodedQuery ?? "")
    }

    /// The pages whose links are only a name.
    private static let named: [String: ShopPage] = [
        "home": .home, "cart": .cart, "account": .profile, "sign-in": .signIn, "register": .register, "orders": .orders,
    ]

    private init?(path: [String], query: String) {
        switch (path[0], path.count) {
        case ("products", 1):
            guard let query = ProductQuery(link: query) else { return nil }
            self = .listing(query)
        case ("products", 2): self = .product(handle: path[1])
        case ("orders", 2): self = .order(id: path[1])
        case ("app", 2...): self = .app(Array(path.dropFirst()))
        case (let name, 1):
            guard let page = Self.named[name] else { return nil }
            self = page
        default: return nil
        }
    }

    /// The link to the page.
    ///
    /// - Parameter shop: the web address of the shop; nil for a link with the scheme `pouch`.
    /// - Returns: nil for a page that is out of the bounds of a link, and for a shop whose address cannot have links,
    ///   such as one without a host.
    public func url(of shop: URL? = nil) -> URL? {
        guard let url = unboundedURL(of: shop), ShopPage(url: url, of: shop) == linked else { return nil }
        return url
    }

    /// The page as its link describes it: for a listing, without cursor, page size and facets.
    private var linked: ShopPage {
        guard case .listing(var query) = self else { return self }
        (query.cursor, query.limit, query.facets) = (nil, nil, false)
        query.options = query.options.filter { !$0.value.isEmpty }
        return .listing(query)
    }

    private func unboundedURL(of shop: URL?) -> URL? {
        var (path, query) = (linkPath, "")
        if case .listing(let listing) = self { query = listing.link }
        guard let shop else { return URL(string: "\(Self.scheme)://\(path.joined(separator: "/"))\(query)") }
        guard var parts = URLComponents(url: shop, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false,
            let base = LinkText.segments(parts.percentEncodedPath)
        else { return nil }
        (parts.query, parts.fragment, parts.user, parts.password) = (nil, nil, nil, nil)
        if self == .home { path = [] }
        parts.percentEncodedPath = (base.map(LinkText.encoded) + path).map { "/" + $0 }.joined()
        if !query.isEmpty { parts.percentEncodedQuery = String(query.dropFirst()) }
        return parts.url
    }

    private var linkPath: [String] {
        switch self {
        case .listing: ["products"]
        case .product(let handle): ["products", LinkText.encoded(handle)]
        case .order(let id): ["orders", LinkText.encoded(id)]
        case .app(let path): ["app"] + path.map(LinkText.encoded)
        case .home, .cart, .profile, .signIn, .register, .orders:
            Self.named.filter { $0.value == self }.map(\.key)
        }
    }

    private static func origin(_ parts: URLComponents) -> String? {
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = parts.host else {
            return nil
        }
        return "\(scheme)://\(host.lowercased()):\(parts.port ?? (scheme == "https" ? 443 : 80))"
    }
}

/// A page is stored as its link.
extension ShopPage: Codable {
    public init(from decoder: any Decoder) throws {
        let link = try decoder.singleValueContainer().decode(String.self)
        guard let page = URL(string: link).flatMap({ ShopPage(url: $0) }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "This is not a link to a page."))
        }
        self = page
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(url()?.absoluteString ?? "")
    }
}

extension [ShopPage] {
    /// Reads stored pages. Those that cannot be read are skipped.
    public init(json: Data) {
        self = ((try? JSONDecoder().decode([StoredPage].self, from: json)) ?? []).compactMap(\.page)
    }

    /// The pages as a list of links, to store them.
    public var json: Data { (try? JSONEncoder().encode(self)) ?? Data() }
}

private struct StoredPage: Decodable {
    /// nil for a text that is not a link to a page.
    let page: ShopPage?

    init(from decoder: any Decoder) {
        page = try? ShopPage(from: decoder)
    }
}

// MARK: - Queries

extension ProductQuery {
    private static let optionPrefix = "option."

    /// The parameters of a link, except for the options of products.
    private var linkTexts: [(name: String, text: String?)] {
        [
            ("season", season), ("theme", theme), ("category", category), ("tag", tag), ("q", search),
            ("sort", sort?.rawValue), ("minPrice", (minPrice?.amount).map(String.init)),
            ("maxPrice", (maxPrice?.amount).map(String.init)), ("currency", (minPrice ?? maxPrice)?.currency.code),
            ("inStock", inStock.map(String.init)),
        ]
    }

    /// The query of a link, with its question mark; empty for all products.
    fileprivate var link: String {
        let chosen = options.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { (Self.optionPrefix + name, $0) }
        }
        let items = linkTexts.compactMap { name, text in text.map { (name, $0) } } + chosen
        guard !items.isEmpty else { return "" }
        return "?" + items.map { "\(LinkText.encoded($0))=\(LinkText.encoded($1))" }.joined(separator: "&")
    }

    /// nil for a query with a value that is out of bounds, or with two values for a single-valued name.
    fileprivate init?(link: String) {
        self.init()
        let names = Set(linkTexts.map(\.name))
        var texts: [String: String] = [:]
        var optionCount = 0
        for item in link.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = LinkText.decoded(parts[0], form: true) else { return nil }
            let isOption = name.hasPrefix(Self.optionPrefix) && name != Self.optionPrefix
            guard isOption || names.contains(name) else { continue }
            guard parts.count == 2, let value = LinkText.decoded(parts[1], form: true) else { return nil }
            if isOption {
                optionCount += 1
                guard optionCount <= ShopPage.maxOptions else { return nil }
                options[String(name.dropFirst(Self.optionPrefix.count)), default: []].append(value)
            } else {
                guard texts.updateValue(value, forKey: name) == nil else { return nil }
            }
        }
        (season, theme, category, tag) = (texts["season"], texts["theme"], texts["category"], texts["tag"])
        search = texts["q"]
        if let text = texts["sort"] {
            guard let known = ProductSort(rawValue: text), known != .relevance || search != nil else { return nil }
            sort = known
        }
        if let text = texts["inStock"] {
            guard let known = Bool(text) else { return nil }
            inStock = known
        }
        for (name, bound) in [("minPrice", \ProductQuery.minPrice), ("maxPrice", \.maxPrice)] {
            guard let text = texts[name] else { continue }
            guard let amount = Int64(text), amount >= 0, let currency = texts["currency"].flatMap(Currency.init(code:))
            else { return nil }
            self[keyPath: bound] = Money(amount, currency)
        }
    }
}

/// The texts in a link.
private enum LinkText {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// nil for an empty or long text, one with control characters, and one that is not percent-encoded UTF-8.
    ///
    /// - Parameter form: whether a plus sign stands for a space, as browsers write it in queries.
    static func decoded(_ text: Substring, form: Bool = false) -> String? {
        let plain = form ? text.replacing("+", with: " ") : text
        guard let decoded = plain.removingPercentEncoding, !decoded.isEmpty,
            decoded.utf8.count <= ShopPage.longestText,
            !decoded.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return decoded
    }

    /// The decoded segments of a path; nil if one is empty, is `.` or `..`, or contains a slash.
    static func segments(_ path: String) -> [String]? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first?.isEmpty ?? true else { return nil }
        parts = Array(parts.dropFirst())
        if parts.last?.isEmpty == true { parts.removeLast() }
        var segments: [String] = []
        for part in parts {
            guard let segment = decoded(part), segment != ".", segment != "..", !segment.contains("/") else {
                return nil
            }
            segments.append(segment)
        }
        return segments
    }
}
