import PouchEntities

/// A kangaroo that brings an order from the shop's own place, the same day. It is paid as a ride is, by the species that
/// carries the weight and the length of the way.
struct Courier: DeliveryWay {
    let id = ShopSettings.courierId

    let place: ShopPlace
    let currency: Currency

    /// What of an order decides about its ride.
    struct Trip: Equatable {
        let waypoints: RideWaypoints
        let species: Species
        let metres: Int
        let fare: Money
    }

    func method(to place: Destination, grams: Int, goods: Money) throws -> ShippingMethod? {
        guard let location = place.location else { throw DomainError.locationRequired }
        return try trip(to: location, grams: grams).map {
            ShippingMethod(id: id, name: "Kangaroo", price: $0.fare, estimate: "the same day")
        }
    }

    /// - Returns: nil where kangaroos do not come from the shop, or none carries the weight.
    func trip(to location: GeoPoint, grams: Int) throws -> Trip? {
        guard place.location.distance(to: location) <= DriverSearch.reach,
            let species = Species.allCases.first(where: { $0.maxWeightGrams >= grams })
        else { return nil }
        let metres = CityStreets.metres(from: place.location, to: location)
        return Trip(
            waypoints: RideWaypoints(pickupLocation: place.location, dropoffLocation: location), species: species,
            metres: metres, fare: try RideTariff(currency: currency).fare(species, metres: metres))
    }
}

extension ShopSettings {
    /// The id of delivery by kangaroo, which no tariff may have.
    public static let courierId = "kangaroo"

    /// nil for a shop without a place of its own where kangaroos live.
    var courier: Courier? {
        place.flatMap { CitySettings.covers($0.location) ? Courier(place: $0, currency: currency) : nil }
    }

    /// All ways of delivery, in the order in which they are offered.
    var deliveryWays: [any DeliveryWay] { shipping + (courier.map { [$0] } ?? []) }

    /// What can be chosen for a place of which no more is known than that.
    func methods(to place: Destination, grams: Int, goods: Money) throws -> [ShippingMethod] {
        try deliveryWays.compactMap { way in
            do {
                return try way.method(to: place, grams: grams, goods: goods)
            } catch DomainError.locationRequired {
                return nil
            }
        }
    }
}
