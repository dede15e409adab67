import PouchData
import PouchEntities

extension CartManager {
    /// Adds units to the line of the SKU.
    ///
    /// - Returns: the server's cart; an estimate where the server cannot be reached and edits are queued, as `state` says.
    /// - Throws: `.unknownSKU`, `.outOfStock`, `.cartFull`; the cart is unchanged.
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

    /// Applies a discount code. A cart has one code at most: a new one replaces it.
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
