import Foundation
import KooberScreens
import PouchEntities
import PouchTesting

enum Sydney {
    static let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
    static let bondi = NamedLocation(name: "Bondi Beach", location: GeoPoint(latitude: -33.8908, longitude: 151.2743))
    static let junction = NamedLocation(
        name: "Bondi Junction", location: GeoPoint(latitude: -33.8912, longitude: 151.2475))

    /// The ride options, with one of them selected or none.
    static func options(selected: String? = nil) -> RideOptionPicker {
        RideOptionPicker(options: [
            option("wallaby", "Wallaby", riders: 1, grams: 20_000, 1050, selected),
            option("kangaroo", "Kangaroo", riders: 3, grams: 150_500, 1820, selected),
        ])
    }

    private static func option(
        _ id: String, _ name: String, riders: Int, grams: Int, _ cents: Int64, _ selected: String?
    ) -> DisplayableRideOption {
        DisplayableRideOption(
            RideOption(
                id: id, name: name, capacity: riders, maxWeightGrams: grams,
                images: RideOption.Images(normal: "\(id).png", selected: "\(id)-selected.png")),
            FareQuote(
                id: "quo_\(id)", rideOptionID: id, fare: Money(cents, .eur), distanceMetres: 6_500, etaSeconds: 600,
                expiresAt: .sample), isSelected: id == selected)
    }

    static func search(
        _ query: String = "", _ results: [NamedLocation] = [], isSearching: Bool = false,
        to dropoff: NamedLocation? = nil
    ) -> KooberScreen {
        let picker = DropoffPicker(query: query, results: results, from: centre, isSearching: isSearching)
        return pickMeUp(.selectDropoffLocation(picker), to: dropoff)
    }

    static func pickMeUp(_ step: PickMeUpScreen.Step, to dropoff: NamedLocation? = nil) -> KooberScreen {
        KooberScreen(.pickMeUp(PickMeUpScreen(pickupLocation: centre, dropoffLocation: dropoff, step: step)))
    }

    /// The options of a trip to Bondi Beach, with one of them selected or none.
    static func offer(selected: String? = nil) -> KooberScreen {
        let picker = options(selected: selected)
        return pickMeUp(selected == nil ? .selectRideOption(picker) : .confirmRequest(picker), to: bondi)
    }

    static let loading = pickMeUp(.selectRideOption(RideOptionPicker(isLoading: true)), to: bondi)

    /// A trip anywhere on the globe, which is being requested.
    static func trip(from pickup: GeoPoint, to dropoff: GeoPoint) -> KooberScreen {
        KooberScreen(
            .pickMeUp(
                PickMeUpScreen(
                    pickupLocation: pickup, dropoffLocation: NamedLocation(name: "There", location: dropoff),
                    step: .sendingRideRequest)))
    }

    static func ride(
        _ status: RideStatus, _ driver: GeoPoint? = nil, by name: String = "Skippy", eta: Int? = nil,
        id: Ride.ID = "rid_1"
    ) -> Ride {
        Ride(
            id: id, status: status,
            waypoints: RideWaypoints(pickupLocation: centre, dropoffLocation: bondi.location),
            rideOptionID: "kangaroo", fare: Money(1820, .eur),
            driver: driver.map { Ride.Driver(name: name, rating: 4.5, location: $0) }, etaSeconds: eta,
            createdAt: .sample, history: [])
    }

    static func waiting(_ ride: Ride, isCancelling: Bool = false) -> KooberScreen {
        KooberScreen(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: isCancelling)))
    }

    static func profile(_ name: String, mobile: String? = nil, isSigningOut: Bool = false) -> ProfileScreen {
        ProfileScreen(
            Profile(id: "acc_1", name: name, email: "johnny@gmail.com", mobileNumber: mobile),
            isSigningOut: isSigningOut)
    }
}
