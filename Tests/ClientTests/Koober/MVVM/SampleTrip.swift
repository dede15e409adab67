import KooberKit
import KooberScenarios
import PouchEntities

/// From Sydney to the Opera House, and what there is to ride on.
struct SampleTrip {
    let world = World(SampleService())
    let session = Fixture.session()
    let pickup = SampleService.sydney
    let dropoff = NamedLocation(
        name: "Sydney Opera House", location: GeoPoint(latitude: -33.8568, longitude: 151.2153))

    var waypoints: RideWaypoints { RideWaypoints(pickupLocation: pickup, dropoffLocation: dropoff.location) }

    func options() async -> [PricedRideOption] {
        await SampleService().options(for: waypoints)
    }

    func ride(_ status: RideStatus = .requested) -> Ride {
        Ride(
            id: "rid_1", status: status, waypoints: waypoints, rideOptionID: "wallaby", fare: Fixture.euros(1000),
            driver: nil, etaSeconds: nil, createdAt: Fixture.now, history: [])
    }

    var error: ErrorMessage { ErrorMessage(title: "No connection", message: "Try again later.") }
}
