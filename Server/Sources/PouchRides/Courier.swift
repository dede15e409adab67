import Foundation
import PouchDomain
import PouchEntities

/// Delivery by kangaroo from the shop's location on the same day, for the price of a ride of the same length by the
/// smallest species that carries the weight.
public struct KangarooCourier: DeliveryOption {
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

extension RideRepositories {
    public var rideBookings: any RideBookings { TransactionBookings(repositories: self) }
}

private struct TransactionBookings: RideBookings {
    let repositories: any RideRepositories

    func book(id: String, for record: OrderRecord, from shop: ShopPlace, at now: Date) throws -> Bool {
        guard let shipping = record.order.shipping, let location = shipping.address.location,
            let trip = CourierTrip(from: shop, to: location, grams: record.grams)
        else { return false }
        // The city's next step searches for a kangaroo, so that the checkout does not wait for it.
        _ = try repositories.rides.insert(
            RideRecord(
                id: id, passenger: .goods(orderId: record.order.id), species: trip.species, waypoints: trip.waypoints,
                fare: shipping.price, distanceMetres: trip.metres, at: now))
        return true
    }

    func cancel(id: String, at now: Date) throws {
        guard var ride = try repositories.rides.ride(id: id, locking: true), ride.status.isCancellable else { return }
        try repositories.cancel(&ride, at: now)
    }

    func deleteAll(ownerId: String, at now: Date) throws {
        // The active ride is locked in any case: it may be about to end.
        if let id = try repositories.rides.active(riderId: ownerId)?.id { try cancel(id: id, at: now) }
        try repositories.rides.deleteEnded(ownerId: ownerId)
    }
}

extension RideRepositories {
    /// Cancels a ride before the pick-up, for its rider or order; throws `IllegalRideTransition` after it.
    func cancel(_ ride: inout RideRecord, at now: Date) throws {
        try ride.enter(.cancelledByRider, at: now)
        try release(&ride, at: now)
        ride.dueAt = nil
        try save(&ride)
    }

    /// Frees the driver, who waits at its current location and is not asked for this ride again.
    func release(_ ride: inout RideRecord, at time: Date) throws {
        guard let engagement = ride.engagement else { return }
        try drivers.release(id: engagement.driverId, rideId: ride.id, at: engagement.location(at: time))
        ride.refusals.append(engagement.driverId)
        ride.engagement = nil
    }

    /// Writes the ride under its next version.
    func save(_ ride: inout RideRecord) throws {
        guard try rides.update(ride) else { throw TransactionConflict() }
        ride.version += 1
        if ride.dueAt == nil { try rides.deleteDeserted(id: ride.id) }
    }
}
