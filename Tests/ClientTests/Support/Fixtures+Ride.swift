import Foundation
import PouchEntities

extension Fixture {
    static let quay = GeoPoint(latitude: -33.861, longitude: 151.211)
    static let operaHouse = NamedLocation(
        name: "Sydney Opera House", location: GeoPoint(latitude: -33.857, longitude: 151.215))
    static let trip = RideWaypoints(pickupLocation: quay, dropoffLocation: operaHouse.location)
    static let wallaby = RideOption(
        id: "wallaby", name: "Wallaby", capacity: 1, maxWeightGrams: 25_000,
        images: .init(normal: "/assets/wallaby.svg", selected: "/assets/wallaby-selected.svg"))
    static let quote = FareQuote(
        id: "quo_1", rideOptionID: "wallaby", fare: euros(900), distanceMetres: 600, etaSeconds: 90,
        expiresAt: now.addingTimeInterval(300))

    static func driver(_ latitude: Double = -33.87) -> Ride.Driver {
        Ride.Driver(name: "Skippy", rating: 4.9, location: GeoPoint(latitude: latitude, longitude: 151.2))
    }

    /// A ride that came to its status by way of all before it.
    static func ride(_ status: RideStatus, id: String = "rid_1") -> Ride {
        let requested = Ride(
            id: id, status: .requested, waypoints: trip, rideOptionID: "wallaby", fare: euros(900), driver: nil,
            etaSeconds: nil, createdAt: now, history: [.init(status: .requested, at: now)])
        let way: [RideStatus] = [.accepted, .arriving, .inProgress, .completed]
        guard let end = way.firstIndex(of: status) else {
            return status == .requested ? requested : requested.next(status)
        }
        return way[...end].reduce(requested) { $0.next($1) }
    }

    static func receipt(of ride: Ride) -> RideReceipt {
        RideReceipt(
            rideID: ride.id, fare: ride.fare, distanceMetres: 600, driverName: "Skippy", pickedUpAt: now,
            completedAt: now)
    }
}

extension Ride {
    /// The ride one status further.
    func next(_ status: RideStatus) -> Ride {
        let hasDriver = [.accepted, .arriving, .inProgress].contains(status)
        let event = Event(status: status, at: Fixture.now.addingTimeInterval(TimeInterval(history.count)))
        return with(
            status, hasDriver ? Fixture.driver() : nil, hasDriver ? 60 : nil, history + [event])
    }

    /// The ride with its driver elsewhere.
    func moved(to latitude: Double, etaSeconds: Int) -> Ride {
        with(status, Fixture.driver(latitude), etaSeconds, history)
    }

    private func with(_ status: RideStatus, _ driver: Driver?, _ etaSeconds: Int?, _ history: [Event]) -> Ride {
        Ride(
            id: id, status: status, waypoints: waypoints, rideOptionID: rideOptionID, fare: fare, driver: driver,
            etaSeconds: etaSeconds, createdAt: createdAt, history: history)
    }
}
