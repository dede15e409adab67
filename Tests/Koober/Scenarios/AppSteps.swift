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

        /// The same trip with other options.
        public func offering(_ options: [PricedRideOption]) -> Trip {
            Trip(pickup: pickup, dropoff: dropoff, options: options)
        }

        /// The option picker with one option or none selected.
        public func offer(selected: Int?) -> KooberScreen.Content {
            let picker = RideOptionPicker(options, selected: selected.map { options[$0].id }, isLoading: false)
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

    // MARK: Intentions and errors

    /// Does what the user asks for, and waits for the screen that follows.
    public func performs(
        _ intention: Intention, showing content: KooberScreen.Content, profile: ProfileScreen? = nil,
        isOffline: Bool = false, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await performs(intention, location)
        try await shows(content, profile: profile, isOffline: isOffline, location)
    }

    public func acknowledges(_ content: KooberScreen.Content, profile: ProfileScreen? = nil) async throws {
        try await performs(.acknowledgeError, showing: content, profile: profile)
    }

    /// Shows an error over a screen, and once the user has read of it, the same screen or the next one.
    public func reports(
        _ error: ErrorMessage, on content: KooberScreen.Content, then next: KooberScreen.Content? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await shows(content, error: error, location)
        try await performs(.acknowledgeError, showing: next ?? content, location)
    }

    // MARK: Account

    /// Launches without a session.
    public func launchesSignedOut() async throws { try await relaunches(showing: .welcome) }

    /// Launches without a session, and opens the form.
    public func reachesSignIn() async throws {
        try await launchesSignedOut()
        try await performs(.goToSignIn, showing: .signIn(Self.idle))
    }

    public func reachesSignUp() async throws {
        try await launchesSignedOut()
        try await performs(.goToSignUp, showing: .signUp(Self.idle))
    }

    /// Sends the form.
    public func sendsSignIn(_ email: String, _ password: String) async throws {
        try await performs(.signIn(email: email, password: Secret(password)), showing: .signIn(Self.busy))
    }

    /// Sends the form, and is accepted.
    public func signsUp(_ account: Intention) async throws {
        try await performs(account, showing: .signUp(Self.busy))
        try await world.signUp.passes()
        try await shows(.gettingUserLocation)
    }

    /// Signs in from the welcome screen.
    public func signsIn(_ rider: Rider) async throws {
        try await performs(.goToSignIn, showing: .signIn(Self.idle))
        try await sendsSignIn(rider.email, rider.password)
        try await world.signIn.passes { $0 == rider.email }
        try await shows(.gettingUserLocation)
    }

    /// Launches with a session of the rider.
    public func launchesSignedIn() async throws {
        try await world.hasSignedIn(world.service.rider)
        try await relaunches()
    }

    /// Launches with what the device stores.
    public func relaunches(
        showing content: KooberScreen.Content = .gettingUserLocation, profile: ProfileScreen? = nil
    ) async throws {
        start()
        try await shows(.launching)
        try await world.readUserSession.passes()
        try await shows(content, profile: profile)
    }

    public func opensProfile(on content: KooberScreen.Content) async throws {
        try await performs(.showProfile, showing: content, profile: profile(of: world.service.rider))
    }

    /// Opens the profile, and signs out until the service is asked.
    public func asksToSignOut(on content: KooberScreen.Content) async throws {
        try await opensProfile(on: content)
        let signingOut = profile(of: world.service.rider, isSigningOut: true)
        try await performs(.signOut, showing: content, profile: signingOut)
    }

    public func signsOut(on content: KooberScreen.Content) async throws {
        try await asksToSignOut(on: content)
        try await world.signOut.passes()
        try await shows(.welcome)
    }

    /// Ends the rider's session elsewhere, which the app reports on the welcome screen.
    public func sessionEnds(of rider: Rider) async throws {
        try await world.service.endSessions(of: rider)
        try await shows(.welcome, error: try await world.end.passes())
    }

    // MARK: Trip

    /// Finds no ride in progress, and the location.
    @discardableResult
    public func locates() async throws -> GeoPoint {
        try await world.activeRide.passes()
        return try await world.userLocation.passes()
    }

    @discardableResult
    public func findsLocation() async throws -> GeoPoint {
        let pickup = try await locates()
        try await shows(map(pickup))
        return pickup
    }

    @discardableResult
    public func reachesMap() async throws -> GeoPoint {
        try await launchesSignedIn()
        return try await findsLocation()
    }

    /// Opens the drop-off picker from the map.
    @discardableResult
    public func opensPicker(_ pickup: GeoPoint) async throws -> [NamedLocation] {
        try await performs(.chooseDropoff, showing: picker(pickup, isSearching: true))
        let places = try await world.search.passes()
        try await shows(picker(pickup, "", places))
        return places
    }

    /// Starts a search in the drop-off picker, which goes on showing the earlier results.
    public func searches(_ query: String, _ pickup: GeoPoint, over results: [NamedLocation]) async throws {
        try await performs(.searchDropoffs(query), showing: picker(pickup, query, results, isSearching: true))
    }

    /// Opens the drop-off picker over the options of a trip.
    public func opensPicker(over trip: Trip) async throws {
        try await performs(.chooseDropoff, showing: trip.search(isSearching: true))
        try await shows(trip.search(try await world.search.passes()))
    }

    /// Chooses a destination in the picker, and waits for its options.
    public func selects(_ dropoff: NamedLocation, from pickup: GeoPoint) async throws -> Trip {
        let trip = Trip(pickup: pickup, dropoff: dropoff, options: [])
        try await performs(.selectDropoff(dropoff.name), showing: trip.loading)
        return trip
    }

    /// Lets the options of the trip pass.
    public func loadsOptions(of trip: Trip) async throws -> Trip {
        let waypoints = RideWaypoints(pickupLocation: trip.pickup, dropoffLocation: trip.dropoff.location)
        let loaded = trip.offering(try await world.rideOptions.passes { $0 == waypoints })
        try await shows(loaded.offer(selected: nil))
        return loaded
    }

    /// Chooses a destination from the map, and loads the options.
    @discardableResult
    public func choosesTrip(_ pickup: GeoPoint) async throws -> Trip {
        let places = try await opensPicker(pickup)
        let dropoff = try #require(places.first { $0.location != pickup })
        let trip = try await loadsOptions(of: try await selects(dropoff, from: pickup))
        try #require(trip.options.count > 1)
        return trip
    }

    public func reachesOptions() async throws -> Trip { try await choosesTrip(try await reachesMap()) }

    public func selects(_ index: Int, of trip: Trip) async throws {
        try await performs(.selectRideOption(trip.options[index].id), showing: trip.offer(selected: index))
    }

    /// Selects an option and confirms it.
    public func confirms(_ trip: Trip, _ index: Int = 0) async throws {
        try await selects(index, of: trip)
        try await performs(.confirmRide, showing: trip.screen(.sendingRideRequest))
    }

    // MARK: Ride

    /// Lets the request pass, and sees the ride.
    @discardableResult
    public func receivesRide() async throws -> Ride {
        let ride = try await world.request.passes()
        try await shows(.waiting(ride))
        return ride
    }

    @discardableResult
    public func reachesRide() async throws -> Ride {
        let trip = try await reachesOptions()
        try await confirms(trip)
        let ride = try await receivesRide()
        #expect(ride.waypoints.dropoffLocation == trip.dropoff.location)
        #expect(ride.rideOptionID == trip.options[0].id)
        return ride
    }

    public func cancels(_ ride: Ride) async throws {
        try await performs(.cancelRide, showing: .waiting(ride, isCancelling: true))
    }

    /// Passes the next update of the ride. An update that changes nothing visible shows no new screen.
    @discardableResult
    public func follows(isCancelling: Bool = false, profile: ProfileScreen? = nil) async throws -> Ride {
        let ride = try await world.updates.passes()
        let content = KooberScreen.Content.waiting(ride, isCancelling: isCancelling && !ride.status.isFinal)
        if shown?.content != content { try await shows(content, profile: profile) }
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
}

extension KooberScreen.Content {
    /// The screen of a requested ride.
    public static func waiting(_ ride: Ride, isCancelling: Bool = false) -> KooberScreen.Content {
        .waitingForPickup(WaitingScreen(ride: ride, isCancelling: isCancelling))
    }
}
