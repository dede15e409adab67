import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

// The rules of a list of products that every local store follows, whichever database it is written for.

extension ProductQuery {
    /// The words of `search`, folded: lower case, without accents. Each must match the beginning of a product's word.
    public var searchWords: [String] { FoldedText.searchWords(in: search ?? "") }

    /// The order of the list. Relevance needs search words.
    public var effectiveSort: ProductSort {
        guard searchWords.isEmpty else { return sort ?? .relevance }
        return sort == .relevance ? .newest : sort ?? .newest
    }

    /// `limit` within the bounds of the server, or its default.
    public var pageSize: Int { Limits.storedPageSize(limit) }

    /// The parts that decide which products are listed, and in which order.
    fileprivate var fingerprint: String {
        var query = self
        query.limit = nil
        query.cursor = nil
        query.facets = false
        return query.queryString.encoded
    }
}

/// Texts for search and sorting, folded as on the server.
extension Product {
    /// The name for sorting: lower case, without accents.
    public var foldedName: String { FoldedText.fold(name) }

    /// The words of the name, folded as those of a search. Products that match here come first.
    public var nameWords: [String] { FoldedText.indexWords(in: name) }

    /// The words of all other texts that a search finds, folded.
    public var otherWords: [String] {
        var texts = [styleCode, description, category, careInstructions].compactMap { $0 } + tags
        texts += materials ?? []
        for option in options { texts += option.values }
        texts += variants.map(\.sku)
        return FoldedText.indexWords(in: texts.joined(separator: " "))
    }
}

/// A product's position in a sorted list. A cursor is the position of a page's last product, so products may be added
/// and removed while a list is being read.
public struct ProductPosition: JSONModel, Equatable {
    /// The price in minor units; for relevance, 0 if the name matches the search and 1 if other texts do; otherwise 0.
    public let number: Int64
    /// The folded name; empty if the sort does not use it.
    public let text: String
    public let id: String

    public init(number: Int64 = 0, text: String = "", id: String) {
        self.number = number
        self.text = text
        self.id = id
    }

    public static let json = JSONObject(
        ProductPosition.init, .field("number", \.number), .field("text", \.text), .field("id", \.id))

    /// Whether this position is before the other one. The order is total, since ids are unique.
    func precedes(_ other: ProductPosition, in sort: ProductSort) -> Bool {
        switch sort {
        case .newest: id > other.id
        case .priceAscending, .relevance: (number, id) < (other.number, other.id)
        case .priceDescending: number == other.number ? id < other.id : number > other.number
        case .name: (text, id) < (other.text, other.id)
        }
    }

    private struct Cursor: JSONModel {
        let query: String
        let after: ProductPosition

        static let json = JSONObject(Cursor.init, .field("query", \.query), .field("after", \.after))
    }

    /// The position after which a page starts; nil for the first page.
    ///
    /// - Throws: `.listChanged` for a cursor of another query, or a text that is not a cursor.
    public init?(cursorOf query: ProductQuery) throws(StoreError) {
        guard let text = query.cursor else { return nil }
        guard let data = Data(base64URL: text), let cursor = try? Cursor(json: data),
            cursor.query == query.fingerprint
        else { throw StoreError(.listChanged) }
        self = cursor.after
    }

    /// The cursor of the page that starts after this position. It is valid for the same query only.
    public func cursor(of query: ProductQuery) -> String? {
        try? Cursor(query: query.fingerprint, after: self).json().base64URL
    }
}

/// Builds facets from counts, with their names and values in the order of a response.
public struct FacetList {
    private static let most = 100
    private static let fixed = ["category", "season", "theme", "tag"]

    struct Entry: Hashable {
        let name: String
        let value: String
    }

    private var counts: [Entry: Int] = [:]

    public init() {}

    /// Counts products with a value.
    ///
    /// - Parameter name: `category`, `season`, `theme`, `tag`, or `option.` and an option's name.
    public mutating func add(_ name: String, value: String, count: Int = 1) {
        counts[Entry(name: name, value: value), default: 0] += count
    }

    /// Category, season, theme, tag, then the options by name. The most frequent values come first. Names, and values
    /// of options, that differ in case only are the same; the spelling that sorts first is used.
    public var facets: [Facet] {
        var names: [String: String] = [:]
        var values: [String: [String: Facet.Value]] = [:]
        for (entry, count) in counts {
            let key = entry.name.lowercased()
            names[key] = min(names[key] ?? entry.name, entry.name)
            let folded = entry.name.hasPrefix("option.") ? entry.value.lowercased() : entry.value
            let known = values[key]?[folded]
            values[key, default: [:]][folded] = Facet.Value(
                value: min(known?.value ?? entry.value, entry.value), count: (known?.count ?? 0) + count)
        }
        let options = names.keys.filter { !Self.fixed.contains($0) }.sorted()
        return (Self.fixed + options).compactMap { key in
            guard let name = names[key], let values = values[key]?.values else { return nil }
            let frequentFirst = values.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
            return Facet(name: name, values: Array(frequentFirst.prefix(Self.most)))
        }
    }
}

extension PouchEntities.Category {
    /// The categories that have products, by id. A category whose name is unknown has its id as its name.
    public static func counted(_ counts: [String: Int], named known: [Self]?) -> [Self] {
        let names = Dictionary((known ?? []).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return counts.filter { $0.value > 0 }
            .map { Self(id: $0.key, name: names[$0.key] ?? $0.key, productCount: $0.value) }
            .sorted { $0.id < $1.id }
    }
}

extension Limits {
    /// The size of a page from a local store, within the server's bounds.
    public static func storedPageSize(_ limit: Int?) -> Int {
        min(max(limit ?? defaultPageSize, pageSize.lowerBound), pageSize.upperBound)
    }
}
