import KooberKit
@testable import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ReduxAppTests {
    private let world = World(SampleService())

    @Test func `an app without references ends its streams, and leaves no objects`() async throws {
        var app: ReduxApp? = ReduxApp(model: world)
        let objects = LiveObjects(of: try #require(app))
        var screens = try #require(app?.screens()).makeAsyncIterator()
        app?.start()
        #expect(await screens.next(isolation: #isolation) == KooberScreen(.launching))
        try await world.readUserSession.isAsked()
        #expect(objects.holdContainer(of: .app) && !objects.alive(in: .launch).isEmpty)
        app = nil
        while await screens.next(isolation: #isolation) != nil {}
        for scope in ObjectScope.allCases { try await eventually { objects.alive(in: scope).isEmpty } }
    }

    @Test func `the app starts once`() async throws {
        let app = ReduxApp(model: world)
        app.start()
        app.start()
        try await world.readUserSession.passes()
        try await eventually { app.screen == KooberScreen(.welcome) }
        #expect(world.readUserSession.asked.count == 1)
    }

    @Test func `a later stream starts with the present screen`() async throws {
        let app = ReduxApp(model: world)
        #expect(app.screen == nil)
        var early = app.screens().makeAsyncIterator()
        app.start()
        try await world.readUserSession.passes()
        #expect(await early.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await early.next(isolation: #isolation) == KooberScreen(.welcome))
        var late = app.screens().makeAsyncIterator()
        try app.perform(.goToSignUp)
        #expect(await late.next(isolation: #isolation) == KooberScreen(.welcome))
        #expect(await late.next(isolation: #isolation) == KooberScreen(.signUp(FormScreen())))
    }
}

private let one = SerialNumber(1)

/// Repeated or impossible actions, which the views would not allow: the reducer decides.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct UserInteractionTests {
    private let world = World(SampleService())
    private let store = Store(state: AppState.initial, reducer: Reducers.app)
    private var rider: Rider { world.service.rider }
    private var sessions: any UserSessionRepository {
        world.makeUserSessionRepository(dataStore: world.makeUserSessionDataStore())
    }
    private var session: any ActionDispatcher<SignedInAction> { store.scoped { .signedIn(scope: one, $0) } }

    /// The session and each step have scope 1.
    private func isSignedIn() async throws -> UserSession {
        let session = try await world.hasSignedIn(rider)
        store.dispatch(.launching(.finishedLaunchingApp(.signedIn(session, scope: one))))
        return session
    }

    @Test func `a form that is being sent is not sent again, and its answer counts`() async throws {
        store.dispatch(.launching(.finishedLaunchingApp(.notSignedIn)))
        store.dispatch(.onboarding(.goToSignIn))
        let submission = FormSubmission(
            actionDispatcher: store.scoped { .onboarding($0) })
        let signIn = SignInUserInteractions(submission: submission, userSessionRepository: sessions)
        for _ in 1...2 { signIn.signIn(email: rider.email, password: Secret(rider.password)) }
        let session = try await world.signIn.passes()
        try await eventually { store.state.userSession == session }
        #expect(world.signIn.asked.count == 1)
    }

    @Test func `a ride is not requested under the profile, and not twice`() async throws {
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
            newRideRepository: world.makeNewRideRepository(for: userSession))
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

    @Test func `a ride that is being cancelled or has ended is not cancelled again`() async throws {
        let userSession = try await isSignedIn()
        let ride = try await world.hasRide(rider)
        session.dispatch(.gettingUserLocation(scope: one, .foundActiveRide(ride, scope: one)))
        let interactions = WaitingForPickupUserInteractions(
            actionDispatcher: session.scoped { .waitingForPickup(scope: one, $0) },
            newRideRepository: world.makeNewRideRepository(for: userSession))
        for _ in 1...2 { interactions.cancel(ride) }
        let cancelled = try await world.cancel.passes()
        try await eventually { self.ride == cancelled }
        interactions.cancel(cancelled)
        for _ in 0..<100 { await Task.yield() }
        #expect(world.cancel.asked.count == 1)
        #expect(store.state.errorsToPresent.isEmpty)
    }

    @Test func `the user signs out once, and only from the profile`() async throws {
        let userSession = try await isSignedIn()
        let profile = ProfileUserInteractions(
            userSession: userSession, actionDispatcher: session, userSessionRepository: sessions)
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
