import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Synchronization
import Testing

/// Reading never acts: no property of a view model, and no screen, starts a call of the model layer.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ReadingTests {
    private let service = CountedService()
    private let trip = SampleTrip()

    /// Reads again and again, in several turns, so that work which a read started would have come.
    private func reads(_ read: () -> Void) async {
        for _ in 0..<10 {
            for _ in 0..<10 { read() }
            await turnsPass(1)
        }
    }

    @Test func `the whole way to a ride makes one call for each step, however often the screen is read`() async throws {
        let app = MVVMApp(model: service)
        // The app follows the connection as long as it exists.
        try await eventually { service.calls == ["connectivity"] }
        await reads { _ = app.screen }
        #expect(service.calls == ["connectivity"])
        app.start()
        let steps: [(Intention?, (KooberScreen.Content?) -> Bool)] = [
            (nil, { $0 == .welcome }), (.goToSignIn, { $0 == .signIn(FormScreen()) }),
            (.signIn(email: "ada@example.org", password: Secret("password")), { step(of: $0) == .initial }),
            (
                .chooseDropoff,
                { if case .selectDropoffLocation(let picker) = step(of: $0) { !picker.results.isEmpty } else { false } }
            ),
            (
                .selectDropoff("Manly"),
                { if case .selectRideOption(let picker) = step(of: $0) { !picker.options.isEmpty } else { false } }
            ),
            (.selectRideOption("wallaby"), { if case .confirmRequest = step(of: $0) { true } else { false } }),
            (.confirmRide, { if case .waitingForPickup = $0 { true } else { false } }),
        ]
        for (intention, isReached) in steps {
            if let intention { try app.perform(intention) }
            await reads {
                _ = app.screen
                _ = app.screens()
            }
            try await eventually { isReached(app.screen?.content) }
        }
        let expected = [
            "activeRide", "connectivity", "end", "location", "options", "readSession", "request", "saveSession",
            "search", "signIn", "updates",
        ]
        try await eventually { service.calls.count >= expected.count }
        await reads { _ = app.screen }
        #expect(service.calls == expected)
    }

    private func step(of content: KooberScreen.Content?) -> PickMeUpScreen.Step? {
        if case .pickMeUp(let screen) = content { screen.step } else { nil }
    }

    @Test func `no property of a view model acts`() async throws {
        let responder = RecordingResponder()
        let errors = ErrorMessages()
        let publisher = SignedInViewPublisher()
        let sessions = KooberUserSessionRepository(dataStore: service, remoteAPI: service)
        let main = MainViewModel(errorMessages: errors)
        let launch = LaunchViewModel(
            userSessionRepository: sessions, notSignedInResponder: responder, signedInResponder: responder,
            errorMessages: errors)
        let connectivity = ConnectivityViewModel(connectivitySource: service)
        let onboarding = OnboardingViewModel()
        let submission = FormSubmission(signedInResponder: responder, errorMessages: errors)
        let signIn = SignInViewModel(userSessionRepository: sessions, submission: submission)
        let signUp = SignUpViewModel(userSessionRepository: sessions, submission: submission)
        let signedIn = SignedInViewModel(
            userSession: trip.session, publisher: publisher, userSessionRepository: sessions,
            notSignedInResponder: responder)
        let profile = ProfileViewModel(
            userSession: trip.session, userSessionRepository: sessions, notSignedInResponder: responder, closed: {})
        let map = PickMeUpMapViewModel(pickupLocation: trip.pickup)
        let options = RideOptionPickerViewModel(rideOptionRepository: service, errorMessages: errors)
        let dropoffs = DropoffLocationPickerViewModel(
            pickupLocation: trip.pickup, locationRepository: service, dropoffLocationDeterminedResponder: responder,
            cancelDropoffLocationSelectionResponder: responder, errorMessages: errors)
        // The request is ready, but not confirmed.
        let pickMeUp = PickMeUpViewModel(
            pickupLocation: trip.pickup, map: map, rideOptionPicker: options, newRideRepository: service,
            publisher: publisher, errorMessages: errors, plan: .dropoff(trip.dropoff, option: nil))
        pickMeUp.pickUpUser(in: await trip.options()[0])
        let waiting = WaitingForPickupViewModel(
            ride: trip.ride(), newRideRepository: service, publisher: publisher, errorMessages: errors)
        let started = ["connectivity", "end", "options", "readSession", "search", "updates"]
        try await eventually { service.calls.count == started.count }
        await reads {
            _ = (main.view, errors.pending, connectivity.isOffline, onboarding.navigationAction, submission.form)
            _ = (signIn.email, signIn.password, signIn.form)
            _ = (signUp.name, signUp.email, signUp.mobileNumber, signUp.password, signUp.form)
            _ = (publisher.view, signedIn.view, signedIn.isProfilePresented, profile.profile, profile.isSigningOut)
            _ = (map.pickupLocation, map.dropoffLocation, options.options, options.selected, options.isLoading)
            _ = (dropoffs.query, dropoffs.searchResults, dropoffs.isSearching, dropoffs.pickupLocation)
            _ = (pickMeUp.view, pickMeUp.progress, waiting.ride, waiting.isCancelling)
        }
        #expect(service.calls == started)
        withExtendedLifetime(launch) {}
    }
}

/// A model layer that answers at once, and counts its calls.
private final class CountedService: KooberModelFactory {
    private let log = Mutex<[String]>([])
    private let service = SampleService()
    private let session = Fixture.session()

    /// In alphabetical order, since some start at the same time.
    var calls: [String] { log.withLock { $0.sorted() } }
    private func note(_ call: String) { log.withLock { $0.append(call) } }
    func makeUserSessionDataStore() -> any UserSessionDataStore { self }
    func makeAuthRemoteAPI() -> any AuthRemoteAPI { self }
    func makeConnectivitySource() -> any ConnectivitySource { self }
    func makeUserLocationSource() -> any UserLocationSource { self }
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository { self }
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository { self }
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository { self }
}

extension CountedService: UserSessionDataStore, AuthRemoteAPI, ConnectivitySource, UserLocationSource {
    func readUserSession() -> UserSession? {
        note("readSession")
        return nil
    }

    func save(_ userSession: UserSession) { note("saveSession") }
    func delete(_ userSession: UserSession) { note("deleteSession") }

    func signIn(_ credentials: Credentials) -> UserSession {
        note("signIn")
        return session
    }

    func signUp(_ account: NewAccount) -> UserSession {
        note("signUp")
        return session
    }

    func signOut(_ userSession: UserSession) { note("signOut") }
    func onRenewal(_ store: @escaping SessionWriter) {}

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        note("end")
        return AsyncStream.makeStream().stream
    }

    func connectivity() -> AsyncStream<Bool> {
        note("connectivity")
        return AsyncStream { $0.yield(true) }
    }

    func userLocation() -> GeoPoint {
        note("location")
        return SampleService.sydney
    }
}

extension CountedService: LocationRepository, RideOptionRepository, NewRideRepository {
    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async -> [NamedLocation] {
        note("search")
        return await service.places(query)
    }

    func rideOptions(for waypoints: RideWaypoints) async -> [PricedRideOption] {
        note("options")
        return await service.options(for: waypoints)
    }

    func request(_ request: NewRideRequest) async -> Ride {
        note("request")
        return await service.request(request, by: session)
    }

    func activeRide() -> Ride? {
        note("activeRide")
        return nil
    }

    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        note("cancel")
        return try await service.cancel(id)
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        note("updates")
        return AsyncThrowingStream { _ in }
    }
}
