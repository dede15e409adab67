import ClientTesting
import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Synchronization
import Testing

/// The writes of a session that each action sets.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PersisterTests {
    private let store = Store<SessionState?, SessionState?>(state: nil, reducer: { $0 = $1 })
    private let failures = Store<[PersistenceAction], PersistenceAction>(state: [], reducer: { $0.append($1) })
    private let ada = SessionState(ReduxSample.ada)
    private let grace = SessionState(ReduxSample.grace)
    private let renewed = SessionState(ReduxSample.renewed)

    private func startPersisting(to dataStore: RecordingDataStore) -> ReduxUserSessionStatePersister {
        let persister = makePersister()
        persister.startPersistingStateChanges(to: dataStore)
        return persister
    }

    private func makePersister() -> ReduxUserSessionStatePersister {
        ReduxUserSessionStatePersister(session: store.publisher, actionDispatcher: failures)
    }

    @Test func `the present session is not written, and each change of it is, in order`() async throws {
        let dataStore = RecordingDataStore()
        let persister = makePersister()
        store.dispatch(ada)
        persister.startPersistingStateChanges(to: dataStore)
        for session in [ada, renewed, nil, nil, grace, ada] { store.dispatch(session) }
        try await persister.finishWriting()
        #expect(
            dataStore.done == [
                "save ses_ada with renewed-token", "delete ses_ada", "save ses_grace with access-token-of-grace",
                "save ses_ada with access-token-of-ada",
            ])
        #expect(failures.state.isEmpty)
    }

    @Test func `a slow data store gets one change after the other`() async throws {
        let dataStore = RecordingDataStore(isOpen: false)
        let persister = startPersisting(to: dataStore)
        for session in [ada, nil, grace] { store.dispatch(session) }
        await dataStore.gate.held(1)
        await turnsPass()
        #expect(dataStore.asked == 1)
        dataStore.gate.open()
        try await persister.finishWriting()
        #expect(
            dataStore.done == [
                "save ses_ada with access-token-of-ada", "delete ses_ada", "save ses_grace with access-token-of-grace",
            ])
    }

    @Test func `each failure is reported, and the next change is written`() async throws {
        let dataStore = RecordingDataStore(fails: true)
        let persister = startPersisting(to: dataStore)
        for session in [ada, nil, grace] { store.dispatch(session) }
        await #expect(throws: RecordingDataStore.full) { try await persister.finishWriting() }
        #expect(dataStore.done.count == 3)
        #expect(
            failures.state == [
                .saveFailed(RecordingDataStore.full, userSession: "ses_ada"), .deleteFailed(RecordingDataStore.full),
                .saveFailed(RecordingDataStore.full, userSession: "ses_grace"),
            ])
    }

    @Test func `finishing waits for the writes so far`() async throws {
        let dataStore = RecordingDataStore(isOpen: false)
        let persister = startPersisting(to: dataStore)
        store.dispatch(ada)
        let finished = Received<Void>()
        let finishing = Task {
            try await persister.finishWriting()
            finished.append(())
        }
        await dataStore.gate.held(1)
        await turnsPass()
        #expect(finished.values.isEmpty)
        dataStore.gate.open()
        try await finishing.value
        #expect(dataStore.done.count == 1)
    }

    @Test func `a deallocated persister finishes writing, and a persister starts once`() async throws {
        let dataStore = RecordingDataStore(isOpen: false)
        let ignored = RecordingDataStore()
        weak var gone: ReduxUserSessionStatePersister?
        do {
            let persister = startPersisting(to: dataStore)
            gone = persister
            persister.startPersistingStateChanges(to: ignored)
            store.dispatch(ada)
            store.dispatch(nil)
        }
        #expect(gone == nil)
        store.dispatch(grace)
        dataStore.gate.open()
        try await eventually { dataStore.done.count == 2 }
        await turnsPass()
        #expect(dataStore.done == ["save ses_ada with access-token-of-ada", "delete ses_ada"])
        #expect(ignored.done.isEmpty)
    }
}

/// The persister in a whole app.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SessionPersistenceTests {
    private static let signedIn = AppState(.signedIn(SignedInState(session: SessionState(ReduxSample.ada))))

    @Test func `an app that starts after the launch stores the sign-in, too`() async throws {
        let signIn = AppEffect.onboarding(.signIn)
        var form = OnboardingState()
        form.screen = .signingIn(FormScreen())
        try await TestStore.run(from: AppState(.onboarding(form)), leaving: Self.signedIn.effects) { store in
            try await store.perform(
                .signIn(email: "ada@example.org", password: Secret(ReduxSample.password)),
                sending: .onboarding(.sendingForm), starting: [signIn]
            ) { $0.changeOnboarding { $0.screen = .signingIn(FormScreen(isBusy: true)) } }
            store.answer(signIn, with: ReduxSample.ada)
            await store.receive(
                .onboarding(.signedIn(SessionState(ReduxSample.ada))),
                starting: Self.signedIn.effects.subtracting([.followConnectivity]), ending: [signIn]
            ) { $0 = Self.signedIn }
            try await eventually { store.model.writes == ["save ses_ada with access-token-of-ada"] }
        }
    }

    @Test func `a session that cannot be deleted is reported on the welcome screen`() async throws {
        let full = ErrorMessage.sample("the disk is full")
        let end = ErrorMessage.sample("signed out elsewhere")
        await TestStore.run(from: Self.signedIn) { store in
            store.model.failWrites(full)
            await store.send(
                .signedIn(.sessionEnded(end)), ending: Self.signedIn.effects.subtracting([.followConnectivity])
            ) { $0.stage = .onboarding(OnboardingState(errors: [end])) }
            await store.receive(.persistence(.deleteFailed(full))) { $0.changeOnboarding { $0.errors = [end, full] } }
            #expect(store.model.writes == ["delete ses_ada"])
        }
    }

    @Test func `the call that renews the tokens waits until they are stored, and learns of a failure`() async throws {
        let full = ErrorMessage.sample("the disk is full")
        try await TestStore.run(from: Self.signedIn, leaving: Self.signedIn.effects) { store in
            try await store.model.renew(ReduxSample.renewed)
            #expect(store.model.writes == ["save ses_ada with renewed-token"])
            await store.receive(.signedIn(.sessionRenewed(SessionState(ReduxSample.renewed)))) {
                $0.changeSignedIn { $0.session = SessionState(ReduxSample.renewed) }
            }
            store.model.failWrites(full)
            await #expect(throws: full) { try await store.model.renew(ReduxSample.ada) }
            await store.receive(.signedIn(.sessionRenewed(SessionState(ReduxSample.ada)))) {
                $0.changeSignedIn { $0.session = SessionState(ReduxSample.ada) }
            }
            await store.receive(.persistence(.saveFailed(full, userSession: "ses_ada"))) {
                $0.changeSignedIn { $0.errors = [full] }
            }
            // The app's user reads it later.
            try await store.perform(.acknowledgeError, sending: .finishedPresentingError) { $0 = Self.signedIn }
        }
    }
}

/// Records the writes once its gate is open.
private final class RecordingDataStore: UserSessionDataStore {
    static let full = ErrorMessage.sample("the disk is full")

    let gate = Gate()
    private let fails: Bool
    private let log = Mutex<(asked: Int, done: [String])>((0, []))
    var asked: Int { log.withLock { $0.asked } }
    var done: [String] { log.withLock { $0.done } }

    init(fails: Bool = false, isOpen: Bool = true) {
        self.fails = fails
        if isOpen { gate.open() }
    }

    func readUserSession() -> UserSession? { nil }

    func save(_ userSession: UserSession) async throws(ErrorMessage) {
        try await perform("save \(userSession.id) with \(userSession.remoteSession.accessToken)")
    }

    func delete(_ userSession: UserSession) async throws(ErrorMessage) { try await perform("delete \(userSession.id)") }

    private func perform(_ call: String) async throws(ErrorMessage) {
        log.withLock { $0.asked += 1 }
        await gate.pass()
        log.withLock { $0.done.append(call) }
        if fails { throw Self.full }
    }
}
