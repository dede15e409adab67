import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@testable import KooberRedux

@MainActor @Suite(.timeLimit(.minutes(5)))
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

    @Test func `an app that was killed during a ride comes back to it`() async throws {
        let ride = try await world.hasRide(world.service.rider)
        let session = try await world.hasSignedIn(world.service.rider)
        var left = SignedInState(session: SessionState(session))
        left.step = .waitingForPickup(WaitingForPickupState(ride: ride))
        let app = AppUnderTest(world, ReduxApp(model: world, state: AppState(resuming: AppState(.signedIn(left)))))
        app.start()
        try await app.shows(.launching)
        try await world.readUserSession.passes()
        try await app.shows(.waiting(ride))
        try await app.ridesToTheEnd()
        #expect(world.activeRide.asked.isEmpty)
    }

    @Test func `over the whole model layer a sign-in is one write, and a sign-out one deletion`() async throws {
        let bytes = CountingSessionStore()
        let model = KooberModel(
            server: try #require(URL(string: "https://koober.example")), transport: StubAccounts(),
            userSessionDataStore: CodedUserSessionDataStore(bytes: bytes, coder: UserSessionJSONCoder()))
        let app = ReduxApp(model: model)
        app.start()
        for count in 1...2 {
            try await eventually { app.screen == KooberScreen(.welcome) }
            try app.perform(.goToSignIn)
            try app.perform(.signIn(email: "ada@example.org", password: Secret("correct")))
            try await eventually { app.screen?.offers(.chooseDropoff) == true }
            try await bytes.has(saves: count, clears: count - 1)
            try app.perform(.showProfile)
            try app.perform(.signOut)
            try await bytes.has(saves: count, clears: count)
        }
    }
}

extension CountingSessionStore {
    /// Waits for so many writes, and requires that there are no more.
    fileprivate func has(saves: Int, clears: Int) async throws {
        try await eventually { self.saves >= saves && self.clears >= clears }
        await turnsPass()
        #expect(self.saves == saves && self.clears == clears)
    }
}

/// Repeated or impossible actions, which the screens do not offer: the reducer decides.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct UserInteractionTests {
    private let model = EffectModel()
    private let ada = SessionState(ReduxSample.ada)

    private func makeStore(_ state: AppState) -> Store<AppState, AppAction> {
        Store(state: state, reducer: Reducers.app)
    }

    /// Waits until exactly these effects run.
    private func runs(_ effects: [AppEffect], _ location: SourceLocation = #_sourceLocation) async throws {
        try await eventually { model.running.count >= effects.count }
        await turnsPass()
        #expect(model.running == effects, sourceLocation: location)
    }

    @Test func `a form that is being sent is not sent again, and a form that is incomplete not at all`() async throws {
        let store = makeStore(AppState(.onboarding(OnboardingState())))
        let signIn = ReduxSignInUserInteractions(
            state: store.publisher.scoped(\.onboarding), actionDispatcher: store.scoped { .onboarding($0) },
            remoteAPI: model.makeAuthRemoteAPI())
        store.dispatch(.onboarding(.goToSignIn))
        signIn.signIn(email: " ", password: Secret(ReduxSample.password))
        #expect(store.state.onboarding?.form?.problems.keys.sorted() == [.email])
        try await runs([])
        for _ in 1...2 { signIn.signIn(email: "ada@example.org", password: Secret(ReduxSample.password)) }
        try await runs([.onboarding(.signIn)])
        model.answer(.onboarding(.signIn), .success(ReduxSample.ada))
        try await eventually { store.state.session == ada }
    }

    @Test func `a ride is not requested under the profile, and not twice`() async throws {
        let confirming = ReduxSample.pickMeUp(.selectRideOption(ReduxSample.selected))
        let store = makeStore(ReduxSample.signedIn(confirming, profile: .shown))
        let calls = model.makeNewRideRepository(for: ReduxSample.ada)
        let interactions = ReduxPickMeUpUserInteractions(
            state: store.publisher.scoped { $0.signedIn?.pickMeUp },
            actionDispatcher: store.scoped { .signedIn(.pickMeUp($0)) },
            locationRepository: model.makeLocationRepository(for: ReduxSample.ada),
            rideOptionRepository: model.makeRideOptionRepository(for: ReduxSample.ada), newRideRepository: calls)
        let before = store.state
        interactions.confirmRide()
        #expect(store.state == before)
        store.dispatch(.signedIn(.profile(.close)))
        for _ in 1...2 { interactions.confirmRide() }
        try await runs([.signedIn(.pickMeUp(.requestRide(ReduxSample.request)))])
    }

    @Test func `a ride that is being cancelled or has ended is not cancelled again`() async throws {
        let store = makeStore(
            ReduxSample.signedIn(.waitingForPickup(WaitingForPickupState(ride: ReduxSample.ride(.requested)))))
        let interactions = ReduxWaitingForPickupUserInteractions(
            state: store.publisher.scoped { $0.signedIn?.waitingForPickup },
            actionDispatcher: store.scoped { .signedIn(.waitingForPickup($0)) },
            newRideRepository: model.makeNewRideRepository(for: ReduxSample.ada))
        for _ in 1...2 { interactions.cancelRide() }
        try await eventually { model.running.contains(.signedIn(.waitingForPickup(.cancel("rid_1")))) }
        #expect(model.running.count { $0 == .signedIn(.waitingForPickup(.cancel("rid_1"))) } == 1)
        model.answer(.signedIn(.waitingForPickup(.cancel("rid_1"))), .success(ReduxSample.ride(.cancelledByRider)))
        try await eventually { store.state.signedIn?.waitingForPickup?.ride.status == .cancelledByRider }
        interactions.cancelRide()
        try await runs([])
        #expect(store.state.errorToPresent == nil)
    }

    @Test func `the user signs out once, and only from the profile`() async throws {
        let store = makeStore(ReduxSample.map)
        let session = ReduxSignedInUserInteractions(
            userSession: ReduxSample.ada, state: store.publisher.scoped(\.signedIn),
            actionDispatcher: store.scoped { .signedIn($0) }, remoteAPI: model.makeAuthRemoteAPI())
        let profile = ReduxProfileUserInteractions(actionDispatcher: store.scoped { .signedIn(.profile($0)) })
        profile.signOut()
        #expect(store.state.signedIn?.profile == .closed)
        profile.showProfile()
        for _ in 1...2 { profile.signOut() }
        try await eventually { model.running.contains(.signedIn(.signOut)) }
        #expect(model.running.count { $0 == .signedIn(.signOut) } == 1)
        model.answer(.signedIn(.signOut), .success(true))
        try await eventually { store.state == AppState(.onboarding(OnboardingState())) }
        withExtendedLifetime(session) {}
    }
}
