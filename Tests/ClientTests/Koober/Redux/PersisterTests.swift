import Foundation
import KooberClient
import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import PouchEntities
import PouchTesting
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PersisterTests {
    private let store = Store(state: AppState.initial, reducer: Reducers.app)

    private func makePersister() -> ReduxUserSessionStatePersister {
        ReduxUserSessionStatePersister(
            userSession: store.publisher.select(\.userSession),
            actionDispatcher: store.scoped { .persistence($0) })
    }

    private func launch(_ session: UserSession?) {
        let state = session.map { AuthenticationState.signedIn($0, scope: SerialNumber(1)) }
        store.dispatch(.launching(.finishedLaunchingApp(state ?? .notSignedIn)))
    }

    private func signIn(_ session: UserSession) {
        let request = SerialNumber(1000)
        store.dispatch(.onboarding(.goToSignIn))
        store.dispatch(.onboarding(.form(.sending(request: request))))
        store.dispatch(.onboarding(.signedIn(session, scope: SerialNumber(1), request: request)))
    }

    private func signOut() {
        let request = SerialNumber(2000)
        store.dispatch(.signedIn(scope: SerialNumber(1), .profile(.show)))
        store.dispatch(.signedIn(scope: SerialNumber(1), .profile(.signingOut(request: request))))
        store.dispatch(.signedIn(scope: SerialNumber(1), .signedOut(request: request, nil)))
    }

    @Test func `the session read at launch is not written again, and changes are`() async throws {
        let dataStore = RecordingDataStore()
        let persister = makePersister()
        launch(.sample("ses_1"))
        persister.startPersistingStateChanges(to: dataStore)
        signOut()
        signIn(.sample("ses_2"))
        try await eventually { dataStore.done.count == 2 }
        #expect(dataStore.done == ["delete ses_1", "save ses_2"])
    }

    @Test func `being signed out is not written twice`() async throws {
        let dataStore = RecordingDataStore()
        let persister = makePersister()
        persister.startPersistingStateChanges(to: dataStore)
        launch(nil)
        store.dispatch(.onboarding(.goToSignUp))
        store.dispatch(.onboarding(.returnedToWelcome))
        signIn(.sample("ses_1"))
        try await eventually { !dataStore.done.isEmpty }
        #expect(dataStore.done == ["save ses_1"])
    }

    @Test func `changes within the session are not written`() async throws {
        let dataStore = RecordingDataStore()
        let persister = makePersister()
        launch(nil)
        persister.startPersistingStateChanges(to: dataStore)
        signIn(.sample("ses_1"))
        store.dispatch(.signedIn(scope: SerialNumber(1), .profile(.show)))
        store.dispatch(.signedIn(scope: SerialNumber(1), .profile(.close)))
        signOut()
        try await eventually { dataStore.done.count == 2 }
        #expect(dataStore.done == ["save ses_1", "delete ses_1"])
    }

    @Test func `a slow data store gets one change after the other`() async throws {
        let dataStore = RecordingDataStore(isOpen: false)
        let persister = makePersister()
        launch(nil)
        persister.startPersistingStateChanges(to: dataStore)
        signIn(.sample("ses_1"))
        signOut()
        signIn(.sample("ses_2"))
        await dataStore.gate.held(1)
        for _ in 0..<100 { await Task.yield() }
        #expect(dataStore.done.isEmpty)
        dataStore.gate.open()
        try await eventually { dataStore.done.count == 3 }
        #expect(dataStore.done == ["save ses_1", "delete ses_1", "save ses_2"])
    }

    @Test func `a deallocated persister finishes writing, and a persister starts once`() async throws {
        let dataStore = RecordingDataStore(isOpen: false)
        weak var gone: ReduxUserSessionStatePersister?
        do {
            let persister = makePersister()
            gone = persister
            launch(nil)
            persister.startPersistingStateChanges(to: dataStore)
            persister.startPersistingStateChanges(to: dataStore)
            signIn(.sample("ses_1"))
            signOut()
        }
        #expect(gone == nil)
        signIn(.sample("ses_2"))
        dataStore.gate.open()
        try await eventually { dataStore.done.count == 2 }
        for _ in 0..<100 { await Task.yield() }
        #expect(dataStore.done == ["save ses_1", "delete ses_1"])
    }

    @Test func `over the whole model layer a sign-in is one write, and a sign-out one deletion`() async throws {
        let bytes = CountingSessionStore()
        let dataStore = CodedUserSessionDataStore(bytes: bytes, coder: UserSessionJSONCoder())
        let model = KooberModel(
            server: try #require(URL(string: "https://koober.example")), transport: StubAccounts(),
            userSessionDataStore: dataStore)
        let app = ReduxApp(model: model)
        app.start()
        try await eventually { app.screen == KooberScreen(.welcome) }
        for count in 1...2 {
            try app.perform(.goToSignIn)
            try app.perform(.signIn(email: "ada@example.org", password: Secret("correct")))
            try await eventually { app.screen?.offers(.chooseDropoff) == true }
            #expect(await bytes.saves == count)
            try app.perform(.showProfile)
            try app.perform(.signOut)
            try await eventually { app.screen == KooberScreen(.welcome) }
            #expect(await bytes.clears == count)
        }
    }

    @Test func `a session that cannot be stored is reported, and the user is signed in`() async throws {
        let world = World(SampleService())
        let model = ModelWithDataStore(world: world, dataStore: RecordingDataStore(fails: true))
        let app = AppUnderTest(world, ReduxApp(model: model))
        try await app.launchesSignedOut()
        try await app.signsIn(world.service.rider)
        let message = ErrorMessage(title: "You will not stay signed in", message: "The disk is full.")
        try await app.shows(.gettingUserLocation, error: message)
        try await app.acknowledges(.gettingUserLocation)
        _ = try await app.findsLocation()
    }

    @Test func `a session that cannot be deleted is reported`() async throws {
        let world = World(SampleService())
        try await world.hasSignedIn(world.service.rider)
        let model = ModelWithDataStore(world: world, dataStore: RecordingDataStore(fails: true))
        let app = AppUnderTest(world, ReduxApp(model: model))
        let pickup = try await app.reachesMap()
        try app.performs(.showProfile)
        try await app.shows(app.map(pickup), profile: app.profile(of: world.service.rider))
        try app.performs(.signOut)
        try await app.shows(app.map(pickup), profile: app.profile(of: world.service.rider, isSigningOut: true))
        try await world.signOut.passes()
        try await app.shows(.welcome)
        let message = ErrorMessage(
            title: "Your session is still kept on this device", message: "The disk is full.")
        try await app.shows(.welcome, error: message)
    }
}

/// Records the calls once its gate is open.
private final class RecordingDataStore: UserSessionDataStore {
    let gate = Gate()
    private let fails: Bool
    private let log = Mutex<[String]>([])
    var done: [String] { log.withLock { $0 } }

    init(fails: Bool = false, isOpen: Bool = true) {
        self.fails = fails
        if isOpen { gate.open() }
    }

    func readUserSession() async throws -> UserSession? { nil }
    func save(userSession: UserSession) async throws { try await perform("save \(userSession.id)") }
    func delete(userSession: UserSession) async throws { try await perform("delete \(userSession.id)") }

    private func perform(_ call: String) async throws {
        await gate.pass()
        log.withLock { $0.append(call) }
        if fails { throw DiskFull() }
    }
}

private struct DiskFull: LocalizedError {
    var errorDescription: String? { "The disk is full." }
}

/// A world with another data store.
private struct ModelWithDataStore: KooberModelFactory {
    let world: World
    let dataStore: any UserSessionDataStore

    func makeUserSessionDataStore() -> any UserSessionDataStore { dataStore }

    func makeUserSessionRepository(dataStore: any UserSessionDataStore) -> any UserSessionRepository {
        world.makeUserSessionRepository(dataStore: dataStore)
    }

    func makeUserLocationSource() -> any UserLocationSource { world.makeUserLocationSource() }

    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository {
        world.makeLocationRepository(for: userSession)
    }

    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository {
        world.makeRideOptionRepository(for: userSession)
    }

    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository {
        world.makeNewRideRepository(for: userSession)
    }
}
