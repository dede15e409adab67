import KooberKit
import KooberScenarios
import PouchEntities

/// From Sydney to the Opera House, and what there is to ride on.
struct SampleTrip {
    let world = World(SampleService())
    let session = Fixture.session()
    let waypoints = RideWaypoints(
        pickupLocation: SampleService.sydney, dropoffLocation: GeoPoint(latitude: -33.8568, longitude: 151.2153))

    var pickup: GeoPoint { waypoints.pickupLocation }
    var dropoff: GeoPoint { waypoints.dropoffLocation }

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
