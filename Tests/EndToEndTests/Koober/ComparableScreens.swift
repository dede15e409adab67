import Foundation
import KooberScreens
import PouchEntities

/// What somebody has seen, as far as it must be the same each time that the same is done.
///
/// What differs from one time to the next is taken away: the ids of rides, which are numbered in their order; times; and
/// where a kangaroo is, which is told once in a second of the machine's time, not of the server's.
func comparable(_ seen: [KooberScreen]) -> [KooberScreen] {
    var ids: [Ride.ID] = []
    var screens: [KooberScreen] = []
    for var screen in seen {
        if case .waitingForPickup(var waiting) = screen.content {
            let ride = waiting.ride
            if !ids.contains(ride.id) { ids.append(ride.id) }
            waiting.ride = Ride(
                id: "ride \(ids.count)", status: ride.status, waypoints: ride.waypoints,
                rideOptionID: ride.rideOptionID, fare: ride.fare,
                driver: ride.driver.map {
                    Ride.Driver(name: $0.name, rating: $0.rating, location: ride.waypoints.pickupLocation)
                },
                etaSeconds: nil, createdAt: .distantPast,
                history: ride.history.map { Ride.Event(status: $0.status, at: .distantPast) })
            screen.content = .waitingForPickup(waiting)
        }
        if screens.last != screen { screens.append(screen) }
    }
    return screens
}
