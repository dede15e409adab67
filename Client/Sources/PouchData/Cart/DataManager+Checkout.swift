import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// The ways of delivery to a place; without one, to the shop's own country.
    public func shippingMethods(
        country: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil
    ) async throws(DataError) -> Page<ShippingMethod> {
        let path = Path.Cart.shippingMethods(
            country: country, postalCode: postalCode, latitude: location?.latitude, longitude: location?.longitude)
        return try await page(Contract.shippingMethods, .cart(path))
    }

    public func setCartShipping(
        methodId: String, address: Address, of owner: String? = nil
    ) async throws(DataError) -> Cart {
        let body = ShippingRequest(methodId: methodId, address: AddressInput(address))
        return try await perform(Contract.setCartShipping, sending: body, CallOptions(owner: owner)) {
            .cart(.setShipping(body: $0))
        }
    }

    /// Orders and pays what is in the cart. While the outcome is not known, the same call again is another try of the same
    /// purchase, also in a later process.
    ///
    /// - Parameters:
    ///   - cart: which one, and in which version; another is another purchase.
    ///   - expectedTotal: what the buyer saw; another total throws `.priceChanged`, and nothing is charged.
    ///   - email: needed from a guest.
    public func checkout(
        _ cart: Cart, paymentMethod: PaymentMethod, expectedTotal: Money, email: String?
    ) async throws(DataError) -> Order {
        let body = CheckoutRequest(paymentMethod: paymentMethod, expectedTotal: expectedTotal, email: email)
        return await remembered(
            try await once(Contract.checkout, .checkout, sending: body, subject: "\(cart.id) \(cart.version)"))
    }
}
