import Foundation
import PouchEntities
import PouchWire

/// An order's place in a list, the latest first; as a cursor, what comes after it.
package struct OrderPosition: Codable, Sendable, Equatable {
    package let createdAt: Date
    package let id: String

    package init(_ order: Order) {
        createdAt = order.createdAt
        id = order.id
    }

    /// - Throws: `.listChanged` for a text that is not a cursor.
    package init?(cursor: String?) throws(StoreError) {
        guard let cursor else { return nil }
        guard let data = Data(base64URL: cursor), let position = try? WireJSON.decode(Self.self, from: data) else {
            throw StoreError(.listChanged)
        }
        self = position
    }

    package var cursor: String? { try? WireJSON.encode(self).base64URL }

    func precedes(_ other: OrderPosition) -> Bool {
        createdAt == other.createdAt ? id > other.id : createdAt > other.createdAt
    }

    package static func pageSize(_ limit: Int?) -> Int {
        min(max(limit ?? Limits.defaultPageSize, Limits.pageSize.lowerBound), Limits.pageSize.upperBound)
    }
}
