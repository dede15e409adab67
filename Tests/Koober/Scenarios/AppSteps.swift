import KooberKit
import KooberScreens
import PouchEntities
import Testing

/// Steps that scenarios share.
extension AppUnderTest {
    public static let idle = FormScreen()
    public static let busy = FormScreen(isBusy: true)

    /// A trip with its ride options.
    public struct Trip {
        public let pickup: GeoPoint
        public let dropoff: NamedLocation
        public let options: [PricedRideOption]

        public func screen(_ step: PickMeUpScreen.Step) -> KooberScreen.Content {
            .pickMeUp(PickMeUpScreen(pickupLocation: pickup, dropoffLocation: dropoff, step: step))
        }

        /// The option picker with one option or none selected.
        public func offer(selected: Int?) -> KooberScreen.Content {
            let picker = RideOptionPicker(
                options: options.enumerated().map { index, option in
                    DisplayableRideOption(option.option, option.quote, isSelected: index == selected)
                })
            return screen(selected == nil ? .selectRideOption(picker) : .confirmRequest(picker))
        }

        public var loading: KooberScreen.Content { screen(.selectRideOption(RideOptionPicker(isLoading: true))) }

        /// The drop-off picker over the options.
        public func search(_ results: [NamedLocation] = [], isSearching: Bool = false) -> KooberScreen.Content {
            screen(.selectDropoffLocation(DropoffPicker(results: results, from: pickup, isSearching: isSearching)))
        }
    }

    public func map(_ pickup: GeoPoint, _ step: PickMeUpScreen.Step = .initial) -> KooberScreen.Content {
        .pickMeUp(PickMeUpScreen(pickupLocation: pickup, step: step))
    }

    public func picker(
        _ pickup: GeoPoint, _ query: String = "", _ results: [NamedLocation] = [], isSearching: Bool = false
    ) -> KooberScreen.Content {
        map(
            pickup,
            .selectDropoffLocation(
                DropoffPicker(query: query, results: results, from: pickup, isSearching: isSearching)))
    }

    public func profile(of rider: Rider, isSigningOut: Bool = false) -> ProfileScreen {
        ProfileScreen(
            Profile(
                id: "", name: rider.name, email: rider.email,
                mobileNumber: rider.mobileNumber.isEmpty ? nil : rider.mobileNumber), isSigningOut: isSigningOut)
    }

    /// Launches without a session.
    public func launchesSignedOut() async throws {
        start()
        try await shows(.launching)
        try await world.readUserSession.passes()
        try await shows(.welcome)
    }

    /// Signs in from the welcome screen.
    public func signsIn(_ rider: Rider) async throws {
        try await performs(.goToSignIn)
        try await shows(.signIn(Self.idle))
        try await performs(.signIn(email: rider.email, password: Secret(rider.password)))
        try await shows(.signIn(Self.busy))
        try await world.signIn.passes { $0 == rider.email }
        try await shows(.gettingUserLocation)
    }

    /// Launches with a session of the rider.
    public func launchesSignedIn() async throws {
        try await world.hasSignedIn(world.service.rider)
        try await relaunches()
    }

    /// Launches with the session that is stored.
    public func relaunches() async throws {
        start()
        try await shows(.launching)
        try await world.readUserSession.passes()
        try await shows(.gettingUserLocation)
    }

    /// Finds no ride in progress, and the location.
    public func findsLocation() async throws -> GeoPoint {
        try await world.activeRide.passes()
        let pickup = try await world.userLocation.passes()
        try await shows(map(pickup))
        return pickup
    }

    public func reachesMap() async throws -> GeoPoint {
        try await launchesSignedIn()
        return try await findsLocation()
    }

    /// Opens the drop-off picker from the map.
    public func opensPicker(_ pickup: GeoPoint) async throws -> [NamedLocation] {
        try await performs(.chooseDropoff)
        try await shows(picker(pickup, isSearching: true))
        let places = try await world.search.passes()
        try await shows(picker(pickup, "", places))
        return places
    }

    /// Chooses a destination from the map, and loads the options.
    public func choosesTrip(_ pickup: GeoPoint) async throws -> Trip {
        let places = try await opensPicker(pickup)
        let dropoff = try #require(places.first { $0.location != pickup })
        try await performs(.selectDropoff(dropoff.name))
        try await shows(Trip(pickup: pickup, dropoff: dropoff, options: []).loading)
        let trip = Trip(pickup: pickup, dropoff: dropoff, options: try await world.rideOptions.passes())
        try #require(trip.options.count > 1)
        try await shows(trip.offer(selected: nil))
        return trip
    }

    public func reachesOptions() async throws -> Trip {
        try await choosesTrip(try await reachesMap())
    }

    /// Selects the first option and confirms it.
    public func confirms(_ trip: Trip) async throws {
        try await performs(.selectRideOption(trip.options[0].id))
        try await shows(trip.offer(selected: 0))
        try await performs(.confirmRide)
        try await shows(trip.screen(.sendingRideRequest))
    }

    public func reachesRide() async throws -> Ride {
        let trip = try await reachesOptions()
        try await confirms(trip)
        let ride = try await world.request.passes()
        #expect(ride.waypoints.dropoffLocation == trip.dropoff.location)
        #expect(ride.rideOptionID == trip.options[0].id)
        try await shows(.waitingForPickup(WaitingScreen(ride: ride)))
        return ride
    }

    /// Passes the next update of the ride. An update that changes nothing visible shows no new screen.
    @discardableResult
    public func follows(isCancelling: Bool = false, profile: ProfileScreen? = nil) async throws -> Ride {
        let ride = try await world.updates.passes()
        let screen = WaitingScreen(ride: ride, isCancelling: isCancelling && !ride.status.isFinal)
        if shown?.content != .waitingForPickup(screen) {
            try await shows(.waitingForPickup(screen), profile: profile)
        }
        return ride
    }

    /// Follows the ride to its end.
    @discardableResult
    public func ridesToTheEnd(isCancelling: Bool = false) async throws -> Ride {
        var ride = try await follows(isCancelling: isCancelling)
        while !ride.status.isFinal {
            try await world.service.timePasses()
            ride = try await follows(isCancelling: isCancelling)
        }
        return ride
    }

    /// Ends the rider's session elsewhere, which the app reports on the welcome screen.
    public func sessionEnds(of rider: Rider) async throws {
        try await world.service.endSessions(of: rider)
        let end = try await world.end.passes()
        try await shows(.welcome, error: end)
    }

    public func acknowledges(_ content: KooberScreen.Content, profile: ProfileScreen? = nil) async throws {
        try await performs(.acknowledgeError)
        try await shows(content, profile: profile)
    }
}
