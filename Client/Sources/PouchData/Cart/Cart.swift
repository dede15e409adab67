import PouchContract
import PouchEntities
import PouchService

/// The cart and its checkout. A call with an owner throws `.sessionEnded` without a request once another account has
/// signed in; nil stands for the owner of the current session.
extension DataManager {
    public func cart(of owner: String? = nil) async throws(DataError) -> Cart {
        try await perform(Contract.cart, options: CallOptions(owner: owner))
    }

    public func setCartDiscount(code: String, of owner: String? = nil) async throws(DataError) -> Cart {
        let body = DiscountRequest(code: code)
        return try await perform(Contract.setCartDiscount, sending: body, options: CallOptions(owner: owner))
    }

    public func removeCartDiscount(of owner: String? = nil) async throws(DataError) -> Cart {
        try await perform(Contract.removeCartDiscount, options: CallOptions(owner: owner))
    }

    /// The cart as last received from the server; nil if there is none.
    public func storedCart(of owner: String) async throws(DataError) -> Dated<Cart>? {
        try await mappingStoreErrors(await store.cart(of: owner))
    }

    /// - Parameter cart: nil removes the stored cart.
    public func store(_ cart: Dated<Cart>?, of owner: String) async throws(DataError) {
        try await mappingStoreErrors(await store.save(cart, of: owner))
    }

    /// The stored product that has a variant with the SKU.
    public func storedProduct(sku: String) async throws(DataError) -> Product? {
        try await mappingStoreErrors(await store.product(sku: sku))
    }

    /// The shipping methods for a destination; by default, for the shop's country.
    public func shippingMethods(
        country: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil
    ) async throws(DataError) -> Page<ShippingMethod> {
        let query = ShippingMethodsQuery {
            ($0.country, $0.postalCode, $0.location) = (country, postalCode, location)
        }
        return try await page(Contract.shippingMethods, query: query)
    }

    public func setCartShipping(
        methodId: String, address: Address, of owner: String? = nil
    ) async throws(DataError) -> Cart {
        let body = ShippingRequest(methodId: methodId, address: AddressInput(address))
        return try await perform(Contract.setCartShipping, sending: body, options: CallOptions(owner: owner))
    }

    /// Orders and pays for the cart. While the outcome is unknown, the same call is another attempt at the same
    /// purchase, also in a later process.
    ///
    /// - Parameters:
    ///   - cart: the cart and its version; another version is another purchase.
    ///   - expectedTotal: the total that the buyer saw. Another total throws `.priceChanged`, and nothing is charged.
    ///   - email: required for a guest.
    ///   - key: the caller's idempotency key.
    public func checkout(
        _ cart: Cart, paymentMethod: PaymentMethod, expectedTotal: Money, email: String?, key: String? = nil
    ) async throws(DataError) -> Order {
        let body = CheckoutRequest(paymentMethod: paymentMethod, expectedTotal: expectedTotal, email: email)
        // With a caller's key, a cart that was filled again is still the same purchase.
        return await storing(
            try await sendOnce(Contract.checkout, sending: body, subject: key == nil ? cart.subject : nil, key: key))
    }
}

extension Cart {
    /// The subject of its purchase.
    var subject: String { "\(id) \(version)" }
}
