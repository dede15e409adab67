import PouchData
import PouchEntities

extension CartManager {
    /// Adds units to the line of the SKU.
    ///
    /// Without a queue, the units may have been added despite an error, if its `mayHaveTakenEffect` is true. Another
    /// call would add them again: refresh the cart first, or use `set`, which may be repeated.
    ///
    /// - Returns: the server's cart; an estimate where the server cannot be reached and edits are queued, as `state`
    ///   says.
    /// - Throws: `.unknownSKU`, `.outOfStock`, `.cartFull`; the cart is unchanged. `.unreachable` if edits are not
    ///   queued, or if this device has neither seen nor imported the product, so that it has no price for an estimate;
    ///   nothing is queued then.
    @discardableResult
    public func add(sku: String, quantity: Int = 1) async throws(DataError) -> Cart {
        try await edit(.add(sku: sku, quantity: quantity))
    }

    /// Sets the quantity of a line; 0 removes the line. Returns a cart as `add` does.
    @discardableResult
    public func set(sku: String, quantity: Int) async throws(DataError) -> Cart {
        try await edit(.set(sku: sku, quantity: quantity))
    }

    /// Returns a cart as `add` does.
    @discardableResult
    public func remove(sku: String) async throws(DataError) -> Cart {
        try await edit(.remove(sku: sku))
    }

    /// Returns a cart as `add` does.
    @discardableResult
    public func clear() async throws(DataError) -> Cart {
        try await edit(.clear)
    }

    // MARK: Requests that need the server

    /// Applies a discount code. A cart has at most one code: a new one replaces it.
    ///
    /// - Throws: `.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    @discardableResult
    public func setDiscount(code: String) async throws(DataError) -> Cart {
        try await request { [data] owner throws(DataError) in try await data.setCartDiscount(code: code, of: owner) }
    }

    @discardableResult
    public func removeDiscount() async throws(DataError) -> Cart {
        try await request { [data] owner throws(DataError) in try await data.removeCartDiscount(of: owner) }
    }

    /// - Parameter methodId: the id of one of `CheckoutManager.shippingMethods`.
    @discardableResult
    public func setShipping(methodId: String, to address: Address) async throws(DataError) -> Cart {
        try await request { [data] owner throws(DataError) in
            try await data.setCartShipping(methodId: methodId, address: address, of: owner)
        }
    }
}

// MARK: The outcome of edits

/// A cart with the edits that the server has not confirmed.
public struct CartState: Sendable, Equatable {
    /// The cart with its unconfirmed edits, priced with the data on this device, and the age of the server's data.
    public let cart: Dated<Cart>
    /// The number of edits that the server has not confirmed.
    public let pendingCount: Int

    public init(_ cart: Dated<Cart>, pendingCount: Int = 0) {
        self.cart = cart
        self.pendingCount = pendingCount
    }

    /// Whether the server has confirmed the cart. Otherwise lines and totals are estimates.
    public var isConfirmed: Bool { pendingCount == 0 }
}

/// A change to a cart that its owner did not make.
public enum CartUpdate: Sendable, Equatable {
    /// The server's cart differs from the shown one: different prices, fewer units, removed lines.
    case changed([CartChange])
    /// An edit that was accepted while the server could not be reached was not executed. With `.outcomeUnknown` it may
    /// have been executed, and it is too late to find out.
    case refused(CartEdit, DataError)

    var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

/// The handling of cart edits that cannot reach the server.
public enum OfflineEditPolicy: Sendable {
    /// The edit fails. A refresh of the cart shows whether the server executed it.
    case fail
    /// The edit is shown immediately as unconfirmed, stored, and sent once the server is reachable.
    case queue(until: ConnectionManager)
}
