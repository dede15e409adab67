import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SignedInViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let publisher = SignedInViewPublisher()
    private var world: World { trip.world }

    private func signedIn(_ session: UserSession, isProfilePresented: Bool = false) -> SignedInViewModel {
        SignedInViewModel(
            userSession: session, publisher: publisher, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder, isProfilePresented: isProfilePresented)
    }

    @Test func `the profile covers every stage, and comes and goes with none of them`() {
        let viewModel = signedIn(trip.session)
        #expect(viewModel.view == .gettingUsersLocation)
        #expect(!viewModel.isProfilePresented)
        viewModel.showProfile()
        for view in [SignedInView.pickMeUp(pickupLocation: trip.pickup), .waitingForPickup(trip.ride())] {
            publisher.view = view
            #expect(viewModel.view == view)
            #expect(viewModel.isProfilePresented)
        }
        viewModel.closeProfile()
        #expect(!viewModel.isProfilePresented)
        #expect(viewModel.view == .waitingForPickup(trip.ride()))
    }

    @Test func `an app that was left with the profile starts with it`() {
        #expect(signedIn(trip.session, isProfilePresented: true).isProfilePresented)
    }

    @Test func `a session that ends elsewhere is reported with the reason`() async throws {
        let session = try await world.hasSignedIn(world.service.rider)
        let viewModel = signedIn(session)
        try await world.service.endSessions(of: world.service.rider)
        let reason = try await world.end.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(reason)])
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a released view model does not report the end of the session`() async throws {
        world.end.keepsCancelled()
        let session = try await world.hasSignedIn(world.service.rider)
        var viewModel: SignedInViewModel? = signedIn(session)
        weak let released = viewModel
        try await world.service.endSessions(of: world.service.rider)
        try await world.end.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await world.end.passes()
        await turnsPass()
        #expect(responder.events.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct GettingUsersLocationViewModelTests {
    private let trip = SampleTrip()
    private let publisher = SignedInViewPublisher()
    private let errorMessages = ErrorMessages()
    private var world: World { trip.world }

    /// It starts at once.
    private func gettingUsersLocation() -> GettingUsersLocationViewModel {
        GettingUsersLocationViewModel(
            newRideRepository: world.makeNewRideRepository(for: trip.session),
            userLocationSource: world.makeUserLocationSource(), publisher: publisher, errorMessages: errorMessages)
    }

    @Test func `a ride in progress is shown, and the location is not looked up`() async throws {
        _ = try await world.hasRide(world.service.rider)
        let session = try #require(
            try await world.service.model.makeUserSessionDataStore().readUserSession())
        let viewModel = GettingUsersLocationViewModel(
            newRideRepository: world.makeNewRideRepository(for: session),
            userLocationSource: world.makeUserLocationSource(), publisher: publisher, errorMessages: errorMessages)
        let ride = try #require(try await world.activeRide.passes())
        try await eventually { publisher.view == .waitingForPickup(ride) }
        #expect(world.userLocation.asked.isEmpty)
        withExtendedLifetime(viewModel) {}
    }

    @Test func `without a ride the map is shown at the user's location`() async throws {
        let viewModel = gettingUsersLocation()
        try await world.activeRide.isAsked()
        #expect(world.userLocation.asked.isEmpty)
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { publisher.view == .pickMeUp(pickupLocation: location) }
        withExtendedLifetime(viewModel) {}
    }

    @Test(arguments: [true, false])
    func `after a failure the search starts again once the error is acknowledged`(_ isLocating: Bool) async throws {
        let viewModel = gettingUsersLocation()
        for count in 1...2 {
            let error = trip.error
            if isLocating {
                try await world.activeRide.passes()
                try await world.userLocation.fails(error)
            } else {
                try await world.activeRide.fails(error)
            }
            try await eventually { !errorMessages.pending.isEmpty }
            #expect(errorMessages.pending == [error])
            await turnsPass()
            #expect(world.activeRide.asked.count == count)
            errorMessages.acknowledge()
        }
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { publisher.view == .pickMeUp(pickupLocation: location) }
        withExtendedLifetime(viewModel) {}
    }

    @Test func `a released view model neither looks up the location nor publishes a stage`() async throws {
        world.keepsCancelledCalls()
        var viewModel: GettingUsersLocationViewModel? = gettingUsersLocation()
        weak let released = viewModel
        try await world.activeRide.isAsked()
        viewModel = nil
        #expect(released == nil)
        try await world.activeRide.passes()
        await turnsPass()
        #expect(world.userLocation.asked.isEmpty)
        #expect(publisher.view == .gettingUsersLocation)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProfileViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private let closed = Counter()
    private let viewModel: ProfileViewModel
    private var world: World { trip.world }

    init() {
        viewModel = ProfileViewModel(
            userSession: trip.session, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder, closed: { [closed] in closed.increment() })
    }

    @Test func `the profile shows the user, and is closed`() {
        #expect(viewModel.profile == trip.session.profile)
        viewModel.closeProfile()
        #expect(closed.value == 1)
        #expect(responder.events.isEmpty)
    }

    @Test func `the user signs out once, and cannot close the profile while that goes on`() async throws {
        viewModel.signOut()
        #expect(viewModel.isSigningOut)
        viewModel.signOut()
        viewModel.closeProfile()
        try await world.signOut.passes()
        try await eventually { !responder.events.isEmpty }
        viewModel.signOut()
        await turnsPass()
        #expect(responder.events == [.notSignedIn(nil)])
        #expect(world.signOut.asked == [trip.session])
        #expect(closed.value == 0)
    }

    @Test func `signing out without the service works, and reports the failure`() async throws {
        viewModel.signOut()
        let error = try await world.signOut.fails()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(error)])
    }
}
