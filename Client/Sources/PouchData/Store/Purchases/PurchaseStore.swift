import PouchEntities

/// Carts and orders by owner, as the server told them last.
public protocol PurchaseStore: Sendable {
    func cart(of owner: String) async throws(StoreError) -> KnownCart?
    /// nil forgets the cart; an earlier version of the one that is there is ignored.
    func save(_ cart: KnownCart?, of owner: String) async throws(StoreError)

    /// One page of the owner's orders that were seen, the latest first. Without a `limit`, 50.
    ///
    /// - Throws: `.listChanged`.
    func orders(of owner: String, limit: Int?, cursor: String?) async throws(StoreError) -> Page<Order>
    func order(id: String, of owner: String) async throws(StoreError) -> Order?
    /// Adds orders, or replaces those with the same ids.
    func save(_ orders: [Order], of owner: String) async throws(StoreError)
}
