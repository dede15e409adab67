import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SignedInViewModelTests {
    private let trip = SampleTrip()
    private let responder = RecordingResponder()
    private var world: World { trip.world }
    private var userSessionRepository: any UserSessionRepository {
        world.makeUserSessionRepository(dataStore: world.makeUserSessionDataStore())
    }

    private func signedIn(_ session: UserSession) -> SignedInViewModel {
        SignedInViewModel(
            userSession: session, userSessionRepository: userSessionRepository, notSignedInResponder: responder)
    }

    private func gettingUsersLocation() -> GettingUsersLocationViewModel {
        GettingUsersLocationViewModel(
            newRideRepository: world.makeNewRideRepository(for: trip.session),
            userLocationSource: world.makeUserLocationSource(), activeRideFoundResponder: responder,
            userLocationDeterminedResponder: responder)
    }

    private func profile() -> ProfileViewModel {
        ProfileViewModel(
            userSession: trip.session, userSessionRepository: userSessionRepository, notSignedInResponder: responder,
            closeProfileResponder: responder)
    }

    @Test func `each step leads to the next, under the profile too`() {
        let viewModel = signedIn(trip.session)
        #expect(viewModel.view == .gettingUsersLocation)
        viewModel.userLocationDetermined(at: trip.pickup)
        #expect(viewModel.view == .pickMeUp(pickupLocation: trip.pickup))
        viewModel.showProfile()
        viewModel.newRideRequestAccepted(trip.ride())
        #expect(viewModel.isProfilePresented)
        #expect(viewModel.view == .waitingForPickup(trip.ride()))
        viewModel.closeProfile()
        #expect(!viewModel.isProfilePresented)
        viewModel.startNewRide()
        #expect(viewModel.view == .gettingUsersLocation)
        viewModel.activeRideFound(trip.ride(.accepted))
        #expect(viewModel.view == .waitingForPickup(trip.ride(.accepted)))
    }

    @Test func `that the session has ended elsewhere is told, with why`() async throws {
        try await world.hasSignedIn(world.service.rider)
        let reading = Task { [userSessionRepository] in try await userSessionRepository.readUserSession() }
        try await world.readUserSession.passes()
        let viewModel = signedIn(try #require(try await reading.value))
        viewModel.followUserSession()
        try await world.service.endSessions(of: world.service.rider)
        let error = try await world.end.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(error)])
    }

    @Test func `a ride that is under way comes before any location`() async throws {
        let viewModel = gettingUsersLocation()
        viewModel.findActiveRideOrUsersLocation()
        try await world.activeRide.isAsked()
        #expect(world.userLocation.asked.isEmpty)
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.userLocationDetermined(location)])
    }

    @Test func `a location is asked for again each time the error was read, and not before`() async throws {
        let viewModel = gettingUsersLocation()
        viewModel.findActiveRideOrUsersLocation()
        try await world.activeRide.fails()
        for count in 1...2 {
            let message = try await world.userLocation.fails()
            try await eventually { !viewModel.errorMessages.pending.isEmpty }
            let error = try #require(viewModel.errorMessages.pending.first)
            #expect(error.message == message)
            #expect(world.userLocation.asked.count == count)
            viewModel.errorMessages.acknowledge(error)
            #expect(viewModel.errorMessages.pending.isEmpty)
        }
        let location = try await world.userLocation.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.userLocationDetermined(location)])
        #expect(world.activeRide.asked.count == 1)
    }

    @Test func `the profile says who is signed in, and is closed`() {
        let viewModel = profile()
        #expect(viewModel.name == trip.session.profile?.name)
        #expect(viewModel.email == trip.session.profile?.email)
        #expect(viewModel.mobileNumber.isEmpty)
        viewModel.closeProfile()
        #expect(responder.events == [.closeProfile])
    }

    @Test func `somebody signs out once`() async throws {
        let viewModel = profile()
        try viewModel.signOut()
        #expect(viewModel.isSigningOut)
        #expect(throws: IllegalTransition.self) { try viewModel.signOut() }
        try await world.signOut.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(nil)])
        #expect(world.signOut.asked == [trip.session])
    }

    @Test func `who signs out while the service is away is out, and told`() async throws {
        let viewModel = profile()
        try viewModel.signOut()
        let error = try await world.signOut.fails()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(error)])
    }
}
