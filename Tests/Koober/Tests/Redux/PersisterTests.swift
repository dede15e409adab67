import ClientTesting
import KooberKit
import KooberRedux
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

private let full = ReachableStates.full

/// The writes of a session that each action sets.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PersisterTests {
    private let store = Store<SessionState?, SessionState?>(state: nil, reducer: { $0 = $1 })
    private let failures = Store<[PersistenceAction], PersistenceAction>(state: [], reducer: { $0.append($1) })
    private let dataStore = GatedModel()
    private let ada = SessionState(ReduxSample.ada)
    private let grace = SessionState(ReduxSample.grace)

    private func startPersisting() -> ReduxUserSessionStatePersister {
        let persister = ReduxUserSessionStatePersister(session: store.publisher, actionDispatcher: failures)
        persister.startPersistingStateChanges(to: dataStore)
        return persister
    }

    @Test func `the present session is not written, and each change of it is, in order`() async throws {
        store.dispatch(ada)
        let persister = startPersisting()
        for session in [ada, SessionState(ReduxSample.renewed), nil, nil, grace, ada] { store.dispatch(session) }
        for _ in 1...4 { try await dataStore.calls.passes() }
        try await persister.finishWriting()
        #expect(
            dataStore.calls.asked == [
                .save(ReduxSample.renewed), .delete(ReduxSample.renewed), .save(ReduxSample.grace),
                .save(ReduxSample.ada),
            ])
        #expect(failures.state.isEmpty)
    }

    @Test func `a slow data store gets one change after the other`() async throws {
        let persister = startPersisting()
        for session in [ada, nil, grace] { store.dispatch(session) }
        for write in [ModelCall.save(ReduxSample.ada), .delete(ReduxSample.ada), .save(ReduxSample.grace)] {
            try await dataStore.calls.isAsked()
            await turnsPass()
            #expect(dataStore.calls.waiting == [write])
            try await dataStore.calls.passes()
        }
        try await persister.finishWriting()
    }

    @Test func `each failure is reported, and the next change is written`() async throws {
        let persister = startPersisting()
        for session in [ada, nil, grace] { store.dispatch(session) }
        for _ in 1...3 { try await dataStore.calls.fails(full) }
        await #expect(throws: full) { try await persister.finishWriting() }
        #expect(
            failures.state == [
                .saveFailed(full, userSession: "ses_ada"), .deleteFailed(full),
                .saveFailed(full, userSession: "ses_grace"),
            ])
    }

    @Test func `finishing waits for the writes so far`() async throws {
        let persister = startPersisting()
        store.dispatch(ada)
        let finished = Received<Void>()
        let finishing = Task {
            try await persister.finishWriting()
            finished.append(())
        }
        try await dataStore.calls.isAsked()
        await turnsPass()
        #expect(finished.values.isEmpty)
        try await dataStore.calls.passes()
        try await finishing.value
        #expect(finished.values.count == 1)
    }

    @Test func `a deallocated persister finishes writing, and a persister starts once`() async throws {
        let ignored = GatedModel()
        weak var gone: ReduxUserSessionStatePersister?
        do {
            let persister = startPersisting()
            gone = persister
            persister.startPersistingStateChanges(to: ignored)
            store.dispatch(ada)
            store.dispatch(nil)
        }
        #expect(gone == nil)
        store.dispatch(grace)
        for _ in 1...2 { try await dataStore.calls.passes() }
        await turnsPass()
        #expect(dataStore.calls.asked == [.save(ReduxSample.ada), .delete(ReduxSample.ada)])
        #expect(ignored.calls.asked.isEmpty)
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
