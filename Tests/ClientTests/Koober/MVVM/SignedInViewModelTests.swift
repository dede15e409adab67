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

    enum Place: CaseIterable {
        case locating, map, sending, waiting
        case locatingUnderProfile, mapUnderProfile, waitingUnderProfile
    }

    enum Step: CaseIterable {
        case located, foundRide, confirmed, accepted, startNewRide, showProfile, closeProfile
    }

    /// The result of each legal step.
    private static let legal: [Place: [Step: Place]] = [
        .locating: [.located: .map, .foundRide: .waiting, .showProfile: .locatingUnderProfile],
        .map: [.confirmed: .sending, .showProfile: .mapUnderProfile],
        .sending: [.accepted: .waiting],
        .waiting: [.startNewRide: .locating, .showProfile: .waitingUnderProfile],
        .locatingUnderProfile: [
            .located: .mapUnderProfile, .foundRide: .waitingUnderProfile, .closeProfile: .locating,
        ],
        .mapUnderProfile: [.closeProfile: .map],
        .waitingUnderProfile: [.startNewRide: .locatingUnderProfile, .closeProfile: .waiting],
    ]

    private func take(_ step: Step, _ viewModel: SignedInViewModel) throws(IllegalTransition) {
        switch step {
        case .located: try viewModel.userLocationDetermined(at: trip.pickup)
        case .foundRide: try viewModel.activeRideFound(trip.ride())
        case .confirmed: try viewModel.prepareForRideRequest()
        case .accepted: try viewModel.newRideRequestAccepted(trip.ride())
        case .startNewRide: try viewModel.startNewRide()
        case .showProfile: try viewModel.showProfile()
        case .closeProfile: try viewModel.closeProfile()
        }
    }

    private func viewModel(at place: Place) throws -> SignedInViewModel {
        let viewModel = signedIn(trip.session)
        let steps: [Step] =
            switch place {
            case .locating: []
            case .map: [.located]
            case .sending: [.located, .confirmed]
            case .waiting: [.foundRide]
            case .locatingUnderProfile: [.showProfile]
            case .mapUnderProfile: [.located, .showProfile]
            case .waitingUnderProfile: [.foundRide, .showProfile]
            }
        for step in steps { try take(step, viewModel) }
        return viewModel
    }

    private func isAt(_ place: Place, _ viewModel: SignedInViewModel) -> Bool {
        let (view, isProfilePresented): (SignedInView, Bool) =
            switch place {
            case .locating: (.gettingUsersLocation, false)
            case .map, .sending: (.pickMeUp(pickupLocation: trip.pickup), false)
            case .waiting: (.waitingForPickup(trip.ride()), false)
            case .locatingUnderProfile: (.gettingUsersLocation, true)
            case .mapUnderProfile: (.pickMeUp(pickupLocation: trip.pickup), true)
            case .waitingUnderProfile: (.waitingForPickup(trip.ride()), true)
            }
        return viewModel.view == view && viewModel.isProfilePresented == isProfilePresented
    }

    @Test(arguments: Place.allCases, Step.allCases)
    func `each step from each place leads to the right place or is refused`(_ place: Place, _ step: Step) throws {
        let viewModel = try viewModel(at: place)
        #expect(isAt(place, viewModel))
        if let next = Self.legal[place]?[step] {
            try take(step, viewModel)
            #expect(isAt(next, viewModel))
        } else {
            #expect(throws: IllegalTransition.self) { try take(step, viewModel) }
            #expect(isAt(place, viewModel))
        }
    }

    @Test func `after a failed request the profile can be shown, and another request sent`() throws {
        let viewModel = try viewModel(at: .sending)
        viewModel.newRideRequestFailed()
        try viewModel.showProfile()
        try viewModel.closeProfile()
        try viewModel.prepareForRideRequest()
        try viewModel.newRideRequestAccepted(trip.ride())
        #expect(isAt(.waiting, viewModel))
    }

    @Test func `the profile cannot be closed while the user is signed out`() async throws {
        let viewModel = profile()
        try viewModel.signOut()
        #expect(throws: IllegalTransition.self) { try viewModel.closeProfile() }
        #expect(responder.events.isEmpty)
        try await world.signOut.passes()
    }

    @Test func `a session that ends elsewhere is reported with the reason`() async throws {
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

    @Test func `the ride in progress is looked up before the location`() async throws {
        let viewModel = gettingUsersLocation()
        viewModel.findActiveRideOrUsersLocation()
        try await world.activeRide.isAsked()
        #expect(world.userLocation.asked.isEmpty)
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.userLocationDetermined(location)])
    }

    @Test func `the location is looked up again only once the error is acknowledged`() async throws {
        let viewModel = gettingUsersLocation()
        viewModel.findActiveRideOrUsersLocation()
        for count in 1...2 {
            try await world.activeRide.passes()
            let message = try await world.userLocation.fails()
            try await eventually { !viewModel.errorMessages.pending.isEmpty }
            let error = try #require(viewModel.errorMessages.pending.first)
            #expect(error.message == message)
            #expect(world.userLocation.asked.count == count)
            viewModel.errorMessages.acknowledge(error)
            #expect(viewModel.errorMessages.pending.isEmpty)
        }
        try await world.activeRide.passes()
        let location = try await world.userLocation.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.userLocationDetermined(location)])
    }

    @Test func `the profile shows the user, and is closed`() throws {
        let viewModel = profile()
        #expect(viewModel.name == trip.session.profile?.name)
        #expect(viewModel.email == trip.session.profile?.email)
        #expect(viewModel.mobileNumber.isEmpty)
        try viewModel.closeProfile()
        #expect(responder.events == [.closeProfile])
    }

    @Test func `the user signs out once`() async throws {
        let viewModel = profile()
        try viewModel.signOut()
        #expect(viewModel.isSigningOut)
        #expect(throws: IllegalTransition.self) { try viewModel.signOut() }
        try await world.signOut.passes()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(nil)])
        #expect(world.signOut.asked == [trip.session])
    }

    @Test func `signing out without the service works, and reports the failure`() async throws {
        let viewModel = profile()
        try viewModel.signOut()
        let error = try await world.signOut.fails()
        try await eventually { !responder.events.isEmpty }
        #expect(responder.events == [.notSignedIn(error)])
    }
}
