import PouchEntities
import PouchJSON

/// One page of products.
public struct ProductListing: Sendable {
    public let items: [Product]
    /// The position after the page; nil on the last page.
    public let next: ProductPosition?
    /// nil unless the query asked for them.
    public let facets: [Facet]?
}

/// A position in a list of products, after a product that may no longer exist.
///
/// Contains the sort key of the product instead of a count, so that no product is skipped or repeated while others are
/// added or removed.
public struct ProductPosition: Sendable, Equatable {
    let sort: ProductSort
    let key: SortKey
    /// The `ProductQuery.filterFingerprint` of its query.
    let filters: Int64
    /// The version of the catalogue, only for relevance: scores of two versions cannot be compared.
    let version: Int64?
}

extension ProductPosition: JSONModel {
    public static let json = JSONObject(
        ProductPosition.init, .field("sort", \.sort), .field("key", \.key), .field("filters", \.filters),
        .field("version", \.version))
}

/// An error in the position of a page of products.
public enum CatalogQueryError: Error, Equatable {
    /// The position is in the relevance order of another version of the catalogue.
    case positionExpired
    /// The position belongs to other filters or another sort order.
    case positionMismatch
}

/// The place of a product in a sorted list.
public struct SortKey: Sendable, Equatable {
    /// The price in minor units or the score; 0 if the sort uses neither.
    let number: Int64
    /// The folded name; empty if the sort does not use it.
    let text: String
    let id: String

    /// Whether this key comes before the other; a total order, since ids are unique.
    func precedes(_ other: SortKey, in sort: ProductSort) -> Bool {
        switch sort {
        case .newest: id > other.id
        case .priceAscending: (number, id) < (other.number, other.id)
        case .priceDescending, .relevance: number == other.number ? id < other.id : number > other.number
        case .name: (text, id) < (other.text, other.id)
        }
    }
}

extension SortKey: JSONModel {
    public static let json = JSONObject(
        SortKey.init, .field("number", \.number), .field("text", \.text), .field("id", \.id))
}

extension ProductQuery {
    /// The order of the result; by relevance only with a search text.
    var effectiveSort: ProductSort {
        guard search == nil else { return sort ?? .relevance }
        return sort == .relevance ? .newest : sort ?? .newest
    }

    /// A hash of everything that determines which products are listed; the same in every process.
    var filterFingerprint: Int64 {
        var hash = StableHash()
        for text in [
            season, theme, category, tag, search,
            (minPrice?.amount).map(String.init), (maxPrice?.amount).map(String.init), inStock.map(String.init),
        ] {
            hash.combine(text)
        }
        for (name, values) in foldedOptions.sorted(by: { $0.key < $1.key }) {
            hash.combine(name)
            for value in values.sorted() { hash.combine(value) }
            hash.combine(nil)
        }
        return Int64(bitPattern: hash.value)
    }
}

/// A 64-bit FNV-1a hash, which unlike `Hasher` gives the same number in every process. Not for secrets.
package struct StableHash {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a text and an end mark, so that no two sequences of texts give the same bytes.
    package mutating func combine(_ text: String?) {
        guard let text else { return combine(byte: 0xFF) }
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFE)
    }

    /// The bytes 0xFE and 0xFF never occur in UTF-8.
    private mutating func combine(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
