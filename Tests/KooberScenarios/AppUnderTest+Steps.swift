import KooberKit
import KooberScreens
import PouchEntities
import Testing

/// What many scenarios begin with.
extension AppUnderTest {
    public static let idle = FormScreen()
    public static let busy = FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)

    /// A map, a trip and what there is to ride on.
    public struct Trip {
        public let pickup: GeoPoint
        public let dropoff: NamedLocation
        public let options: [PricedRideOption]

        public func screen(_ step: PickMeUpScreen.Step) -> KooberScreen.Content {
            .pickMeUp(PickMeUpScreen(pickupLocation: pickup, dropoffLocation: dropoff, step: step))
        }

        /// The option picker; nil where nothing is selected.
        public func offer(selected: Int?) -> KooberScreen.Content {
            let picker = RideOptionPicker(
                segments: options.enumerated().map { index, option in
                    .init(
                        id: option.id, title: option.option.name, fare: option.quote.fare,
                        capacity: option.option.capacity, isSelected: index == selected)
                })
            return screen(selected == nil ? .selectRideOption(picker) : .confirmRequest(picker))
        }

        public var loading: KooberScreen.Content { screen(.selectRideOption(RideOptionPicker(isLoading: true))) }
    }

    public func map(_ pickup: GeoPoint, _ step: PickMeUpScreen.Step = .initial) -> KooberScreen.Content {
        .pickMeUp(PickMeUpScreen(pickupLocation: pickup, step: step))
    }

    public func picker(
        _ pickup: GeoPoint, _ query: String = "", _ results: [NamedLocation] = [], isSearching: Bool = false
    ) -> KooberScreen.Content {
        map(pickup, .selectDropoffLocation(DropoffPicker(query: query, results: results, isSearching: isSearching)))
    }

    public func profile(of rider: Rider, isSigningOut: Bool = false) -> ProfileScreen {
        ProfileScreen(
            name: rider.name, email: rider.email, mobileNumber: rider.mobileNumber, isSigningOut: isSigningOut)
    }

    /// Launches where nobody is signed in.
    public func comesToWelcome() async throws {
        start()
        try await sees(.launching)
        try await world.readUserSession.passes()
        try await sees(.welcome)
    }

    /// From the welcome screen until the app asks where its user is.
    public func signsIn(_ rider: Rider) async throws {
        try wants(.goToSignIn)
        try await sees(.signIn(Self.idle))
        try wants(.signIn(email: rider.email, password: Secret(rider.password)))
        try await sees(.signIn(Self.busy))
        try await world.signIn.passes { $0 == rider.email }
        try await sees(.gettingUserLocation)
    }

    /// Launches with the rider signed in.
    public func comesIn() async throws {
        try await world.hasSignedIn(world.service.rider)
        try await comesBack()
    }

    /// Launches where somebody was signed in when the app ran before.
    public func comesBack() async throws {
        start()
        try await sees(.launching)
        try await world.readUserSession.passes()
        try await sees(.gettingUserLocation)
    }

    /// From where a session begins, or a ride has ended.
    public func findsLocation() async throws -> GeoPoint {
        try await world.activeRide.passes()
        let pickup = try await world.userLocation.passes()
        try await sees(map(pickup))
        return pickup
    }

    public func comesToMap() async throws -> GeoPoint {
        try await comesIn()
        return try await findsLocation()
    }

    /// Opens the drop-off picker of the map that is shown.
    public func opensPicker(_ pickup: GeoPoint) async throws -> [NamedLocation] {
        try wants(.chooseDropoff)
        try await sees(picker(pickup, isSearching: true))
        let places = try await world.search.passes()
        try await sees(picker(pickup, "", places))
        return places
    }

    /// From the map that is shown.
    public func choosesTrip(_ pickup: GeoPoint) async throws -> Trip {
        let places = try await opensPicker(pickup)
        let dropoff = try #require(places.first { $0.location != pickup })
        try wants(.selectDropoff(dropoff.name))
        try await sees(Trip(pickup: pickup, dropoff: dropoff, options: []).loading)
        let trip = Trip(pickup: pickup, dropoff: dropoff, options: try await world.rideOptions.passes())
        try #require(trip.options.count > 1)
        try await sees(trip.offer(selected: nil))
        return trip
    }

    public func comesToOptions() async throws -> Trip {
        try await choosesTrip(try await comesToMap())
    }

    /// From an option picker: the first option.
    public func confirms(_ trip: Trip) async throws {
        try wants(.selectRideOption(trip.options[0].id))
        try await sees(trip.offer(selected: 0))
        try wants(.confirmRide)
        try await sees(trip.screen(.sendingRideRequest))
    }

    public func comesToRide() async throws -> Ride {
        let trip = try await comesToOptions()
        try await confirms(trip)
        let ride = try await world.request.passes()
        #expect(ride.waypoints.dropoffLocation == trip.dropoff.location)
        #expect(ride.rideOptionID == trip.options[0].id)
        try await sees(.waitingForPickup(WaitingScreen(ride: ride)))
        return ride
    }

    /// Lets the next state of the ride come; what shows nothing new shows nothing.
    @discardableResult
    public func follows(isCancelling: Bool = false, profile: ProfileScreen? = nil) async throws -> Ride {
        let ride = try await world.updates.passes()
        let screen = WaitingScreen(ride: ride, isCancelling: isCancelling && !ride.status.isFinal)
        if shown?.content != .waitingForPickup(screen) {
            try await sees(.waitingForPickup(screen), profile: profile)
        }
        return ride
    }

    /// Follows the ride until it has ended.
    @discardableResult
    public func ridesToTheEnd(isCancelling: Bool = false) async throws -> Ride {
        var ride = try await follows(isCancelling: isCancelling)
        while !ride.status.isFinal {
            try await world.service.timePasses()
            ride = try await follows(isCancelling: isCancelling)
        }
        return ride
    }

    /// The rider's session ends elsewhere; whatever was shown, the app says so.
    public func sessionEnds(of rider: Rider) async throws {
        try await world.service.endSessions(of: rider)
        let end = try await world.end.passes()
        try await sees(.welcome, error: end)
    }

    public func acknowledges(_ content: KooberScreen.Content, profile: ProfileScreen? = nil) async throws {
        try wants(.acknowledgeError)
        try await sees(content, profile: profile)
    }
}
