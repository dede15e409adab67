import Foundation
import PouchDomain
import PouchEntities

/// Delivery by kangaroo from the shop's location on the same day, for the price of a ride of the same length by the
/// smallest species that carries the weight.
public struct KangarooCourier: Courier {
    public let id = ShippingMethod.courierId

    private let place: ShopPlace
    private let currency: Currency
    /// The countries that an address can have: the city's and the shop's own.
    private let countries: Set<String>

    /// - Returns: nil for a shop without a location in the city.
    public init?(_ shop: ShopSettings) {
        guard let place = shop.place, CitySettings.covers(place.location) else { return nil }
        self.place = place
        currency = shop.currency
        countries = [CitySettings.country, shop.country]
    }

    public func method(to place: Destination, grams: Int, goods: Money) throws -> ShippingMethod? {
        // The address determines the taxes and the location the delivery, so a foreign address would avoid taxes.
        guard countries.contains(place.country) else { return nil }
        guard let location = place.location else { throw DomainError.locationRequired }
        return try CourierTrip(from: self.place, to: location, grams: grams).map { trip in
            ShippingMethod(
                id: id, name: "Kangaroo",
                price: try RideTariff(currency: currency).fare(trip.species, metres: trip.metres),
                estimate: "the same day")
        }
    }

    public var places: [NamedLocation] {
        Gazetteer.sydney.filter { $0.location.distance(to: place.location) <= DriverSearch.reach }
    }

    public func book(
        id: String, for record: OrderRecord, at now: Date, in repositories: any Repositories
    ) throws -> Bool {
        guard let shipping = record.order.shipping, let location = shipping.address.location,
            let trip = CourierTrip(from: place, to: location, grams: record.grams)
        else { return false }
        // The city's next step searches for a kangaroo, so that the checkout does not wait for it.
        _ = try repositories.rides.insert(
            RideRecord(
                id: id, passenger: .goods(orderId: record.order.id), species: trip.species, waypoints: trip.waypoints,
                fare: shipping.price, distanceMetres: trip.metres, at: now))
        return true
    }
}

/// The ride that delivers an order: its route, length and species.
struct CourierTrip {
    let waypoints: RideWaypoints
    let species: Species
    let metres: Int

    /// - Returns: nil if the location is out of reach of kangaroos near the shop, or if no species carries the weight.
    init?(from place: ShopPlace, to location: GeoPoint, grams: Int) {
        guard place.location.distance(to: location) <= DriverSearch.reach,
            let species = Species.allCases.first(where: { $0.maxWeightGrams >= grams })
        else { return nil }
        self.species = species
        waypoints = RideWaypoints(pickupLocation: place.location, dropoffLocation: location)
        metres = CityStreets.metres(from: place.location, to: location)
    }
}
