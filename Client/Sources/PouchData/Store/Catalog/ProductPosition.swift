import Foundation
import PouchEntities
import PouchWire

/// A product's place in a sorted list. As a cursor it stands for what comes after, so that products may come and go
/// while a list is read.
package struct ProductPosition: Codable, Sendable, Equatable {
    /// The price in minor units, or 0 for a name that matches a search and 1 for other texts; 0 where the sort looks at
    /// neither.
    package let number: Int64
    /// The folded name; empty where the sort does not look at it.
    package let text: String
    package let id: String

    package init(number: Int64 = 0, text: String = "", id: String) {
        self.number = number
        self.text = text
        self.id = id
    }

    /// Whether this place is before the other; a total order, as ids are unique.
    func precedes(_ other: ProductPosition, in sort: ProductSort) -> Bool {
        switch sort {
        case .newest: id > other.id
        case .priceAscending, .relevance: (number, id) < (other.number, other.id)
        case .priceDescending: number == other.number ? id < other.id : number > other.number
        case .name: (text, id) < (other.text, other.id)
        }
    }
}

extension ProductPosition {
    private struct Cursor: Codable {
        let query: String
        let after: ProductPosition
    }

    /// - Returns: nil for a query that begins at the beginning.
    /// - Throws: `.listChanged` for a cursor that is of another query, or none at all.
    package init?(cursorOf query: ProductQuery) throws(StoreError) {
        guard let text = query.cursor else { return nil }
        guard let data = Data(base64URL: text), let cursor = try? WireJSON.decode(Cursor.self, from: data),
            cursor.query == query.fingerprint
        else { throw StoreError(.listChanged) }
        self = cursor.after
    }

    package func cursor(of query: ProductQuery) -> String? {
        try? WireJSON.encode(Cursor(query: query.fingerprint, after: self)).base64URL
    }
}
