import PouchDomain
import PouchEntities

/// Delivery by kangaroo from the shop's own place on the same day.
///
/// It costs what a ride of the same length costs by the smallest species that carries the weight.
public struct KangarooCourier: DeliveryOption {
    public let id = ShopSettings.courierId

    private let place: ShopPlace
    private let currency: Currency

    /// - Returns: nil for a shop without a place of its own in the city.
    public init?(_ shop: ShopSettings) {
        guard let place = shop.place, CitySettings.covers(place.location) else { return nil }
        self.place = place
        currency = shop.currency
    }

    public func method(to place: Destination, grams: Int, goods: Money) throws -> ShippingMethod? {
        guard let location = place.location else { throw DomainError.locationRequired }
        return try CourierTrip(from: self.place, to: location, grams: grams).map { trip in
            ShippingMethod(
                id: id, name: "Kangaroo",
                price: try RideTariff(currency: currency).fare(trip.species, metres: trip.metres),
                estimate: "the same day")
        }
    }
}

/// The ride that brings an order: its route, length and species.
struct CourierTrip {
    let waypoints: RideWaypoints
    let species: Species
    let metres: Int

    /// - Returns: nil beyond the reach of kangaroos that wait near the shop, and where no species carries the weight.
    init?(from place: ShopPlace, to location: GeoPoint, grams: Int) {
        guard place.location.distance(to: location) <= DriverSearch.reach,
            let species = Species.allCases.first(where: { $0.maxWeightGrams >= grams })
        else { return nil }
        self.species = species
        waypoints = RideWaypoints(pickupLocation: place.location, dropoffLocation: location)
        metres = CityStreets.metres(from: place.location, to: location)
    }
}
