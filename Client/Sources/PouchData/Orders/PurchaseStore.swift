import Foundation
import PouchEntities
import PouchWire

/// Carts and orders by owner, as last received from the server.
public protocol PurchaseStore: Sendable {
    func cart(of owner: String) async throws(StoreError) -> Dated<Cart>?
    /// nil removes the cart; an earlier version of the stored cart is ignored.
    func save(_ cart: Dated<Cart>?, of owner: String) async throws(StoreError)

    /// Newest first. The page size is 50 without a `limit`.
    ///
    /// - Throws: `.listChanged`.
    func orders(of owner: String, limit: Int?, cursor: String?) async throws(StoreError) -> Page<Order>
    func order(id: String, of owner: String) async throws(StoreError) -> Order?
    func save(_ orders: [Order], of owner: String) async throws(StoreError)
}

/// An order's position in a list, newest first. A cursor is the position of a page's last order.
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
}
