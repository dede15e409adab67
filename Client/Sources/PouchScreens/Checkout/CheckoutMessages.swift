import PouchEntities

/// The steps between a cart and its payment.
@MainActor
public protocol CheckoutMessages {
    /// Goes on from the cart to the delivery.
    func checkoutBegin() async throws
    /// Finds the ways of delivery to a place; they come as the screen's `methods`. The country is by ISO 3166-1 alpha-2, as
    /// in `AU`. A kangaroo is offered only to a location.
    func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws
    /// Finds places by their names, for the location of an address; they come as the screen's `places`.
    func checkoutFindPlaces(matching query: String) async throws
    /// Settles how and where to deliver, and goes on to the payment.
    func checkoutDeliver(methodId: String, to address: Address) async throws
}
