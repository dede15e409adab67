import KooberKit
@testable import KooberRedux
import KooberScenarios
import PouchEntities
import Testing

private let one = SerialNumber(1)

/// What users do more than once, or where it does not follow, as a view does not let them: the reducer's word counts.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct UserInteractionTests {
    private let world = World(SampleService())
    private let store = Store(state: AppState.initial, reducer: Reducers.app)
    /// Those of the tests are higher.
    private let numbers = SerialNumbers()
    private var rider: Rider { world.service.rider }
    private var sessions: any UserSessionRepository {
        world.makeUserSessionRepository(dataStore: world.makeUserSessionDataStore())
    }
    private var session: any ActionDispatcher<SignedInAction> { store.scoped { .signedIn(scope: one, $0) } }

    /// With a scope of 1, as has each step.
    private func isSignedIn() async throws -> UserSession {
        let session = try await world.hasSignedIn(rider)
        store.dispatch(.launching(.finishedLaunchingApp(.signedIn(session, scope: one))))
        return session
    }

    @Test func `a form that is being sent is not sent again, and its answer counts`() async throws {
        store.dispatch(.launching(.finishedLaunchingApp(.notSignedIn)))
        store.dispatch(.onboarding(.goToSignIn))
        let submission = FormSubmission(
            actionDispatcher: store.scoped { .onboarding($0) }, serialNumbers: numbers)
        let signIn = SignInUserInteractions(submission: submission, userSessionRepository: sessions)
        for _ in 1...2 { signIn.signIn(email: rider.email, password: Secret(rider.password)) }
        let session = try await world.signIn.passes()
        try await eventually { store.state.userSession == session }
        #expect(world.signIn.asked.count == 1)
    }

    @Test func `a ride is not asked for under the profile, nor twice`() async throws {
        let userSession = try await isSignedIn()
        let pickMeUp = session.scoped { .pickMeUp(scope: one, $0) }
        session.dispatch(.gettingUserLocation(scope: one, .foundNoActiveRide))
        session.dispatch(
            .gettingUserLocation(scope: one, .foundUserLocation(SampleService.sydney, scope: one)))
        let trip = SampleTrip()
        let options = await trip.options()
        pickMeUp.dispatch(.goToDropoffLocationPicker(request: SerialNumber(100)))
        pickMeUp.dispatch(.loadingRideOptions(dropoffLocation: trip.dropoff, request: SerialNumber(101)))
        pickMeUp.dispatch(.rideOptionPicker(.loaded(options, request: SerialNumber(101))))
        pickMeUp.dispatch(.rideOptionSelected(options[0].id))
        let draft = try #require(
            RideDraft(dropoffLocation: trip.dropoff, options: options, selecting: options[0].id))
        let interactions = PickMeUpUserInteractions(
            pickupLocation: trip.pickup, actionDispatcher: pickMeUp,
            newRideRepository: world.makeNewRideRepository(for: userSession), serialNumbers: numbers)
        session.dispatch(.profile(.show))
        let before = store.state
        interactions.confirm(draft)
        #expect(store.state == before)
        session.dispatch(.profile(.close))
        for _ in 1...2 { interactions.confirm(draft) }
        let ride = try await world.request.passes()
        try await eventually { self.ride == ride }
        #expect(world.request.asked.count == 1)
    }

    @Test func `a ride that is being cancelled is not cancelled again, nor one that has ended`() async throws {
        let userSession = try await isSignedIn()
        let ride = try await world.hasRide(rider)
        session.dispatch(.gettingUserLocation(scope: one, .foundActiveRide(ride, scope: one)))
        let interactions = WaitingForPickupUserInteractions(
            actionDispatcher: session.scoped { .waitingForPickup(scope: one, $0) },
            newRideRepository: world.makeNewRideRepository(for: userSession), serialNumbers: numbers)
        for _ in 1...2 { interactions.cancel(ride) }
        let cancelled = try await world.cancel.passes()
        try await eventually { self.ride == cancelled }
        interactions.cancel(cancelled)
        for _ in 0..<100 { await Task.yield() }
        #expect(world.cancel.asked.count == 1)
        #expect(store.state.errorsToPresent.isEmpty)
    }

    @Test func `somebody signs out once, and from the profile only`() async throws {
        let userSession = try await isSignedIn()
        let profile = ProfileUserInteractions(
            userSession: userSession, actionDispatcher: session, userSessionRepository: sessions,
            serialNumbers: numbers)
        profile.signOut()
        profile.showProfile()
        for _ in 1...2 { profile.signOut() }
        try await world.signOut.passes()
        try await eventually { store.state == .onboarding(OnboardingState()) }
        #expect(world.signOut.asked.count == 1)
    }

    private var ride: Ride? {
        guard case .signedIn(let session) = store.state, case .waitingForPickup(let waiting) = session.step
        else { return nil }
        return waiting.ride
    }
}
