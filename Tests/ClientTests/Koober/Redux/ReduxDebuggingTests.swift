import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TimeTravelTests {
    private let world = World(SampleService())

    private func makeApp(recording limit: Int) -> AppUnderTest {
        let debugging = ReduxDebugging(recordedActions: limit)
        return AppUnderTest(world, ReduxApp(model: world, debugging: debugging))
    }

    private func timeTravel(of app: AppUnderTest) throws -> TimeTravel<AppState, AppAction> {
        try #require((app.app as? ReduxApp)?.timeTravel)
    }

    /// Signs in, rides to the end with a failure on the way, and signs out.
    private func ridesOnce(_ app: AppUnderTest) async throws {
        try await app.launchesSignedOut()
        try await app.signsIn(world.service.rider)
        let trip = try await app.choosesTrip(try await app.findsLocation())
        try await app.confirms(trip)
        let error = try await world.request.fails()
        try await app.shows(trip.offer(selected: 0), error: error)
        try await app.acknowledges(trip.loading)
        try await world.rideOptions.passes()
        try await app.shows(trip.offer(selected: nil))
        try await app.confirms(trip)
        let ride = try await world.request.passes()
        try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
        let last = try await app.ridesToTheEnd()
        let profile = app.profile(of: world.service.rider)
        try app.performs(.showProfile)
        try await app.shows(.waitingForPickup(WaitingScreen(ride: last)), profile: profile)
        try app.performs(.signOut)
        try await app.shows(
            .waitingForPickup(WaitingScreen(ride: last)),
            profile: app.profile(of: world.service.rider, isSigningOut: true))
        try await world.signOut.passes()
        try await app.shows(.welcome)
    }

    @Test func `replaying a recorded ride leads to the same states`() async throws {
        let app = makeApp(recording: 1000)
        try await ridesOnce(app)
        let timeTravel = try timeTravel(of: app)
        let history = timeTravel.history
        #expect(history.steps.count > 20)
        #expect(history.start == .initial)
        #expect(history.steps.map(\.id) == Array(1...history.steps.count))
        #expect(timeTravel.replay(with: Reducers.app) == history.steps.map(\.state))
        // Another reducer leads to other states.
        #expect(timeTravel.replay(with: { state, _ in state }) != history.steps.map(\.state))
    }

    @Test func `looking back shows each screen again, allows no action, and returns to the present`() async throws {
        let app = makeApp(recording: 1000)
        try await ridesOnce(app)
        let redux = try #require(app.app as? ReduxApp)
        let timeTravel = try timeTravel(of: app)
        let asked = (world.search.asked.count, world.rideOptions.asked.count, world.request.asked.count)
        let made = app.objects.count(in: .signedIn)
        for step in timeTravel.history.steps.reversed() {
            timeTravel.travel(to: step.id)
            #expect(redux.screen == KooberScreen(step.state))
            #expect(throws: UnofferedIntention.self) { try redux.perform(.goToSignIn) }
            #expect(app.objects.count(in: .signedIn) == made)
        }
        timeTravel.returnToPresent()
        #expect(redux.screen == KooberScreen(.welcome))
        #expect((world.search.asked.count, world.rideOptions.asked.count, world.request.asked.count) == asked)
        #expect(app.objects.count(in: .signedIn) == made)
        #expect(app.objects.alive(in: .signedIn).isEmpty)
        try redux.perform(.goToSignIn)
        #expect(redux.screen == KooberScreen(.signIn(FormScreen())))
    }

    @Test func `the present goes on while the past is shown`() async throws {
        let app = makeApp(recording: 1000)
        try await app.launchesSignedIn()
        let redux = try #require(app.app as? ReduxApp)
        let timeTravel = try timeTravel(of: app)
        timeTravel.travel(to: 1)
        try await world.activeRide.passes()
        let pickup = try await world.userLocation.passes()
        try await eventually { timeTravel.history.steps.count == 3 }
        #expect(redux.screen == KooberScreen(.gettingUserLocation))
        timeTravel.returnToPresent()
        #expect(redux.screen == KooberScreen(app.map(pickup)))
    }

    @Test func `only the latest actions are kept, and the displayed state stays`() {
        let timeTravel = TimeTravel<Int, Int>(start: 0, limit: 3)
        let store = Store<Int, Int>(state: 0, reducer: { $0 * 10 + $1 }, middleware: [timeTravel.middleware])
        let received = Received<Int>()
        let subscription = timeTravel.displayedState.subscribe { received.append($0) }
        store.dispatch(1)
        timeTravel.travel(to: 1)
        for action in 2...5 { store.dispatch(action) }
        #expect(timeTravel.history.steps.map(\.id) == [3, 4, 5])
        #expect(timeTravel.history.steps.map(\.action) == [3, 4, 5])
        #expect(timeTravel.history.start == 12)
        #expect(timeTravel.replay(with: { $0 * 10 + $1 }) == [123, 1234, 12345])
        timeTravel.travel(to: 2)
        timeTravel.travel(to: 9)
        #expect(timeTravel.history.displayed == 1)
        timeTravel.returnToPresent()
        #expect(received.values == [0, 1, 12345])
        withExtendedLifetime(subscription) {}
    }

    @Test func `nothing is recorded by default`() async throws {
        let app = AppUnderTest(.redux, world)
        #expect((app.app as? ReduxApp)?.timeTravel == nil)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PrintingMiddlewareTests {
    private let world = World(SampleService())
    private let printed = Received<String>()

    /// Signs in and opens the picker.
    private func run() async throws -> AppUnderTest {
        let debugging = ReduxDebugging(print: { [printed] in printed.append($0) }, recordedActions: 100)
        let app = AppUnderTest(world, ReduxApp(model: world, debugging: debugging))
        try await app.launchesSignedOut()
        try await app.signsIn(world.service.rider)
        let pickup = try await app.findsLocation()
        let places = try await app.opensPicker(pickup)
        try app.performs(.searchDropoffs("Bondi\nBeach"))
        try await app.shows(app.picker(pickup, "Bondi\nBeach", places, isSearching: true))
        return app
    }

    @Test func `each action is printed as a line with its names and numbers`() async throws {
        _ = try await run()
        #expect(
            printed.values == [
                "launching(finishedLaunchingApp(notSignedIn))",
                "onboarding(goToSignIn)",
                "onboarding(form(sending(#1)))",
                "onboarding(signedIn(#2, #1))",
                "signedIn(#2, gettingUserLocation(#2, foundNoActiveRide))",
                "signedIn(#2, gettingUserLocation(#2, foundUserLocation(#3)))",
                "signedIn(#2, pickMeUp(#3, goToDropoffLocationPicker(#4)))",
                "signedIn(#2, pickMeUp(#3, dropoffLocationPicker(found(#4))))",
                "signedIn(#2, pickMeUp(#3, dropoffLocationPicker(searching(#5))))",
            ])
    }

    @Test func `no line and no description of an action or a state contains a password or a token`() async throws {
        let app = try await run()
        let timeTravel = try #require((app.app as? ReduxApp)?.timeTravel)
        var texts = printed.values
        for step in timeTravel.history.steps {
            texts += [
                "\(step.action)", String(reflecting: step.action), "\(step.state)", String(reflecting: step.state),
            ]
            var dumped = ""
            dump(step, to: &dumped)
            texts.append(dumped)
        }
        let session = try #require(timeTravel.history.displayed.userSession)
        let secrets = [
            world.service.rider.password, session.remoteSession.accessToken, session.remoteSession.refreshToken,
        ]
        #expect(texts.contains { $0.contains(session.id) })
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }) }
    }
}
