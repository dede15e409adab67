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

    public func setCartShipping(methodId: String, address: Address) async throws(DataError) -> Cart {
        let body = ShippingRequest(methodId: methodId, address: AddressInput(address))
        return try await perform(Contract.setCartShipping, sending: body) { .cart(.setShipping(body: $0)) }
    }

    /// Orders and pays what is in the cart.
    ///
    /// - Parameters:
    ///   - expectedTotal: what the buyer saw; another total throws `.priceChanged`, and nothing is charged.
    ///   - email: needed from a guest.
    ///   - idempotencyKey: the same for every try of the same purchase.
    public func checkout(
        paymentMethod: PaymentMethod, expectedTotal: Money, email: String?, idempotencyKey: String
    ) async throws(DataError) -> Order {
        let body = CheckoutRequest(paymentMethod: paymentMethod, expectedTotal: expectedTotal, email: email)
        return try await perform(
            Contract.checkout, sending: body, CallOptions(idempotencyKey: idempotencyKey)
        ) { .cart(.checkout(body: $0)) }
    }
}
