import ClientTesting
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

/// The three ways in which view models collaborate, each with a fake on the other side.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CollaborationTests {
    private let trip = SampleTrip()
    private let errorMessages = ErrorMessages()

    // MARK: Responder: the one that decides what follows is known by a protocol alone.

    @Test func `the welcome screen passes each choice to its own navigator`() {
        let (signIn, signUp) = (RecordingResponder(), RecordingResponder())
        let viewModel = WelcomeViewModel(goToSignUpNavigator: signUp, goToSignInNavigator: signIn)
        viewModel.showSignUpView()
        #expect(signUp.events == [.goToSignUp] && signIn.events.isEmpty)
        viewModel.showSignInView()
        #expect(signIn.events == [.goToSignIn] && signUp.events == [.goToSignUp])
    }

    @Test func `a launch responds to one of two responders`() async throws {
        let (signedIn, notSignedIn) = (RecordingResponder(), RecordingResponder())
        let session = try await trip.world.hasSignedIn(trip.world.service.rider)
        let launch = LaunchViewModel(
            userSessionRepository: trip.userSessionRepository, notSignedInResponder: notSignedIn,
            signedInResponder: signedIn, errorMessages: errorMessages)
        try await trip.world.readUserSession.passes()
        try await eventually { !signedIn.events.isEmpty }
        #expect(signedIn.events == [.signedIn(session)])
        #expect(notSignedIn.events.isEmpty)
        withExtendedLifetime(launch) {}
    }

    @Test func `a picker does not hold its responder, which holds the picker`() async throws {
        let picker = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        var responder: RecordingResponder? = RecordingResponder()
        weak let released = responder
        picker.rideOptionDeterminedResponder = responder
        responder = nil
        #expect(released == nil)
    }

    // MARK: Closure: there is one caller, to which the view model returns.

    @Test func `the profile returns to its caller by the closure, and signs out by its responder`() async throws {
        let responder = RecordingResponder()
        var closed = 0
        let viewModel = ProfileViewModel(
            userSession: trip.session, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder, closed: { closed += 1 })
        viewModel.closeProfile()
        #expect(closed == 1 && responder.events.isEmpty)
        viewModel.signOut()
        try await trip.world.signOut.passes()
        try await eventually { responder.events == [.notSignedIn(nil)] }
        #expect(closed == 1)
    }

    @Test func `an error continues the work of the view model that presented it, and no other`() async throws {
        let publisher = SignedInViewPublisher()
        let viewModel = GettingUsersLocationViewModel(
            newRideRepository: trip.world.makeNewRideRepository(for: trip.session),
            userLocationSource: trip.world.makeUserLocationSource(), publisher: publisher,
            errorMessages: errorMessages)
        errorMessages.present(trip.error)
        try await trip.world.activeRide.fails()
        try await eventually { errorMessages.pending.count == 2 }
        errorMessages.acknowledge()
        await turnsPass()
        #expect(trip.world.activeRide.asked.count == 1)
        errorMessages.acknowledge()
        try await trip.world.activeRide.isAsked()
        #expect(trip.world.activeRide.asked.count == 2)
        withExtendedLifetime(viewModel) {}
    }

    // MARK: Shared publisher: several view models set one value, and others follow it.

    @Test func `each stage publishes the next one to all subscribers`() async throws {
        let publisher = SignedInViewPublisher()
        let cycle = UpdateCycle()
        var seen: [[SignedInView]] = [[], []]
        let subscriptions = seen.indices.map { index in
            cycle.subscribe(to: { publisher.view }, receive: { seen[index].append($0) })
        }
        let locating = GettingUsersLocationViewModel(
            newRideRepository: trip.world.makeNewRideRepository(for: trip.session),
            userLocationSource: trip.world.makeUserLocationSource(), publisher: publisher,
            errorMessages: errorMessages)
        try await trip.world.activeRide.passes()
        try await trip.world.userLocation.passes()
        try await eventually { seen[0].count == 2 && seen[1].count == 2 }
        let ride = trip.ride(.completed)
        publisher.view = .waitingForPickup(ride)
        let waiting = WaitingForPickupViewModel(
            ride: ride, newRideRepository: TestRides(cancelled: ride), publisher: publisher,
            errorMessages: errorMessages)
        cycle.flush()
        waiting.startNewRide()
        cycle.flush()
        let stages: [SignedInView] = [
            .gettingUsersLocation, .pickMeUp(pickupLocation: trip.pickup), .waitingForPickup(ride),
            .gettingUsersLocation,
        ]
        #expect(seen == [stages, stages])
        withExtendedLifetime((subscriptions, locating)) {}
    }

    @Test func `the signed-in view model shows the stage that any other publishes`() {
        let publisher = SignedInViewPublisher()
        let viewModel = SignedInViewModel(
            userSession: trip.session, publisher: publisher, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: RecordingResponder())
        let cycle = UpdateCycle()
        var seen: [SignedInView] = []
        let subscription = cycle.subscribe(to: { viewModel.view }, receive: { seen.append($0) })
        publisher.view = .pickMeUp(pickupLocation: trip.pickup)
        cycle.flush()
        #expect(seen == [.gettingUsersLocation, .pickMeUp(pickupLocation: trip.pickup)])
        withExtendedLifetime(subscription) {}
    }

    @Test func `the errors of all view models wait in one line`() async throws {
        let responder = RecordingResponder()
        let signIn = SignInViewModel(
            userSessionRepository: trip.userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
        signIn.email = "ada@example.org"
        signIn.password = Secret("wrong")
        signIn.signIn()
        let first = try await trip.world.signIn.fails(trip.error)
        try await eventually { !errorMessages.pending.isEmpty }
        let picker = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        picker.loadRideOptions(for: trip.waypoints)
        let second = try await trip.world.rideOptions.fails(trip.error)
        try await eventually { errorMessages.pending == [first, second] }
    }
}
