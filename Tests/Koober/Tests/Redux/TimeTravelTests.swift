import ClientTesting
import Foundation
import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct TimeTravelTests {
    private let world = World(SampleService())
    private let printed = Received<String>()

    private func makeApp(recording limit: Int = 1000) -> AppUnderTest {
        let debugging = ReduxDebugging(print: { [printed] in printed.append($0) }, recordedActions: limit)
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
        try await app.reports(world.request.fails(), on: trip.offer(selected: 0), then: trip.loading)
        try await app.confirms(try await app.loadsOptions(of: trip))
        try await app.receivesRide()
        try await app.signsOut(on: .waiting(try await app.ridesToTheEnd()))
    }

    @Test func `an exported ride replays in another process, and has no secrets`() async throws {
        let app = makeApp()
        try await ridesOnce(app)
        let timeTravel = try timeTravel(of: app)
        let json = try timeTravel.export()
        let log = try ActionLog<AppState, AppAction>(json: json)
        let states = try timeTravel.history.steps.map { try restored($0.state) }
        #expect(log.start == AppState())
        #expect(states.count > 20 && log.actions.count == states.count)
        #expect(log.replay(with: Reducers.app) == states)
        // Another reducer leads to other states.
        #expect(log.replay(with: { _, _ in }) != states)
        let sessions = timeTravel.history.steps.compactMap(\.state.session?.userSession.remoteSession)
        let session = try #require(sessions.first)
        let secrets = [world.service.rider.password, session.accessToken, session.refreshToken]
        for secret in secrets { #expect(!String(decoding: json, as: UTF8.self).contains(secret)) }
    }

    @Test func `looking back shows each screen again, allows no action, and returns to the present`() async throws {
        let app = makeApp()
        try await ridesOnce(app)
        let redux = try #require(app.app as? ReduxApp)
        let timeTravel = try timeTravel(of: app)
        let asked = (world.search.asked.count, world.rideOptions.asked.count, world.request.asked.count)
        let made = app.objects.count(in: .signedIn)
        for step in timeTravel.history.steps.reversed() {
            timeTravel.travel(to: step.id)
            #expect(redux.screen == KooberScreen(step.state))
            #expect(timeTravel.action == PrintingMiddleware.line(for: step.action))
            #expect(throws: UnofferedIntention.self) { try redux.perform(.goToSignIn) }
            #expect(app.objects.count(in: .signedIn) == made)
        }
        timeTravel.returnToPresent()
        #expect(redux.screen == KooberScreen(.welcome))
        #expect((world.search.asked.count, world.rideOptions.asked.count, world.request.asked.count) == asked)
        #expect(app.objects.alive(in: .signedIn).isEmpty)
        try redux.perform(.goToSignIn)
        #expect(redux.screen == KooberScreen(.signIn(FormScreen())))
    }

    @Test func `the present goes on while the past is shown`() async throws {
        let app = makeApp()
        try await app.launchesSignedIn()
        let redux = try #require(app.app as? ReduxApp)
        let timeTravel = try timeTravel(of: app)
        let first = try #require(timeTravel.history.steps.last { $0.state.session != nil })
        timeTravel.travel(to: first.id)
        try await world.activeRide.passes()
        let pickup = try await world.userLocation.passes()
        try await eventually { redux.state != first.state && timeTravel.history.steps.count >= first.id + 2 }
        #expect(redux.screen == KooberScreen(.gettingUserLocation))
        timeTravel.returnToPresent()
        #expect(redux.screen == KooberScreen(app.map(pickup)))
    }

    @Test func `nothing is recorded by default`() async throws { #expect(ReduxApp(model: world).timeTravel == nil) }

    @Test func `each action is printed as a line with its names, and without its values`() async throws {
        let app = makeApp()
        try await app.launchesSignedOut()
        try await app.signsIn(world.service.rider)
        let pickup = try await app.findsLocation()
        let places = try await app.opensPicker(pickup)
        try await app.performs(.searchDropoffs("Bondi\nBeach"))
        try await app.shows(app.picker(pickup, "Bondi\nBeach", places, isSearching: true))
        let error = try await world.search.fails()
        try await app.shows(app.picker(pickup, "Bondi\nBeach", places), error: error)
        #expect(
            printed.values.filter { $0 != "connectivityChanged" } == [
                "launching(finishedLaunchingApp)", "onboarding(goToSignIn)", "onboarding(sendingForm)",
                "onboarding(signedIn)", "signedIn(gettingUserLocation(foundNoActiveRide))",
                "signedIn(gettingUserLocation(foundUserLocation))", "signedIn(pickMeUp(goToDropoffLocationPicker))",
                "signedIn(pickMeUp(dropoffLocationPicker(found)))",
                "signedIn(pickMeUp(dropoffLocationPicker(search)))", "signedIn(pickMeUp(failed(search)))",
            ])
    }

    @Test func `every action has a line, which has letters and brackets only`() {
        for action in ReachableStates.actions {
            let line = PrintingMiddleware.line(for: action)
            #expect(!line.isEmpty && line.allSatisfy { $0.isLetter || "(), ".contains($0) }, "\(line)")
            #expect(!line.contains("wallaby") && !line.contains("Bondi"))
        }
    }
}

/// The rules of time travel. The state lists the digits of all actions in their order.
@MainActor struct HistoryTests {
    private let timeTravel = TimeTravel<Int, Int>(start: 0, limit: 3)
    private let store: Store<Int, Int>
    private let shown = Received<Int?>()

    init() { store = Store(state: 0, reducer: { $0 = $0 * 10 + $1 }, middleware: [timeTravel.middleware]) }

    @Test func `only the latest actions are kept`() {
        for action in 1...5 { store.dispatch(action) }
        #expect(timeTravel.history.steps.map(\.id) == [3, 4, 5])
        #expect(timeTravel.history.steps.map(\.action) == [3, 4, 5])
        #expect(timeTravel.history.steps.map(\.state) == [123, 1234, 12345])
        #expect(timeTravel.history.start == 12)
        #expect(timeTravel.history.log.replay(with: { $0 = $0 * 10 + $1 }) == [123, 1234, 12345])
    }

    @Test func `the user goes back to the oldest kept step, and forward to the present`() {
        shown.keep(timeTravel.past.subscribe { shown.append($0) })
        #expect(timeTravel.position == (0, 0) && timeTravel.action == nil)
        timeTravel.goBack()
        timeTravel.goForward()
        for action in 1...5 { store.dispatch(action) }
        #expect(timeTravel.position == (5, 5))
        for _ in 1...3 { timeTravel.goBack() }
        #expect(timeTravel.position == (3, 5))
        for _ in 1...3 { timeTravel.goForward() }
        #expect(timeTravel.position == (5, 5))
        #expect(shown.values == [nil, 1234, 123, 1234, nil])
    }

    @Test func `a shown step stays when it is no longer kept, and leads forward to the oldest kept one`() {
        shown.keep(timeTravel.past.subscribe { shown.append($0) })
        for action in 1...2 { store.dispatch(action) }
        timeTravel.goBack()
        for action in 3...5 { store.dispatch(action) }
        timeTravel.goBack()
        #expect(timeTravel.position == (1, 5))
        timeTravel.goForward()
        #expect(timeTravel.position == (3, 5))
        timeTravel.returnToPresent()
        #expect(shown.values == [nil, 1, 123, nil])
    }

    @Test func `a step that is not kept cannot be shown`() {
        for action in 1...5 { store.dispatch(action) }
        timeTravel.travel(to: 2)
        timeTravel.travel(to: 6)
        #expect(timeTravel.history.past == nil)
    }

    @Test func `an export is read back as it was`() throws {
        for action in 1...5 { store.dispatch(action) }
        let log = try ActionLog<Int, Int>(json: timeTravel.export())
        #expect(log.start == 12 && log.actions == [3, 4, 5])
        #expect(throws: DecodingError.self) { try ActionLog<Int, Int>(json: Data("{}".utf8)) }
    }
}
