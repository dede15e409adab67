import KooberScreens
import PouchEntities

/// Places, and who rides between them, for screens.
enum Sydney {
    static let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
    static let bondi = NamedLocation(name: "Bondi Beach", location: GeoPoint(latitude: -33.8908, longitude: 151.2743))
    static let junction = NamedLocation(
        name: "Bondi Junction", location: GeoPoint(latitude: -33.8912, longitude: 151.2475))

    static let options = RideOptionPicker(segments: [
        .init(id: "wallaby", title: "Wallaby", fare: Money(1050, .eur), capacity: 1),
        .init(id: "kangaroo", title: "Kangaroo", fare: Money(1820, .eur), capacity: 3),
    ])

    static func picked(_ id: String) -> RideOptionPicker {
        var picker = options
        picker.segments = picker.segments.map { segment in
            var segment = segment
            segment.isSelected = segment.id == id
            return segment
        }
        return picker
    }

    static func pickMeUp(_ step: PickMeUpScreen.Step, to dropoff: NamedLocation? = nil) -> KooberScreen {
        KooberScreen(.pickMeUp(PickMeUpScreen(pickupLocation: centre, dropoffLocation: dropoff, step: step)))
    }

    static func ride(_ status: RideStatus, _ driver: GeoPoint? = nil, eta: Int? = nil) -> Ride {
        Ride(
            id: "rid_1", status: status,
            waypoints: RideWaypoints(pickupLocation: centre, dropoffLocation: bondi.location),
            rideOptionID: "kangaroo", fare: Money(1820, .eur),
            driver: driver.map { Ride.Driver(name: "Skippy", rating: 4.5, location: $0) }, etaSeconds: eta,
            createdAt: Fixture.now, history: [])
    }

    static func waiting(_ ride: Ride, isCancelling: Bool = false) -> KooberScreen {
        KooberScreen(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: isCancelling)))
    }
}
