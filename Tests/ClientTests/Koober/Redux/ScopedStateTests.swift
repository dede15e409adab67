import KooberRedux
import PouchEntities
import Testing

/// Who observes what one user has never hears of the next one's.
@MainActor
struct ScopedStateTests {
    private let store = Store(state: AppState.initial, reducer: Reducers.app)
    private let heard = Heard<UserSession.ID>()
    private let ends = Heard<Void>()

    private func launch(_ session: UserSession, scope: Int) {
        store.dispatch(.launching(.finishedLaunchingApp(.signedIn(session, scope: SerialNumber(scope)))))
    }

    private func endSession(scope: Int) {
        store.dispatch(.signedIn(scope: SerialNumber(scope), .sessionEnded(.sample(100))))
    }

    private func signIn(_ session: UserSession, scope: Int) {
        let request = SerialNumber(scope + 1000)
        store.dispatch(.onboarding(.goToSignIn))
        store.dispatch(.onboarding(.form(.sending(request: request))))
        store.dispatch(.onboarding(.signedIn(session, scope: SerialNumber(scope), request: request)))
    }

    private func subscribe(to scope: Int) -> StateSubscription {
        store.publisher.scoped { $0.signedIn(SerialNumber(scope)) }.select(\.userSession.id)
            .subscribe(receive: { heard.hear($0) }, finished: { ends.hear(()) })
    }

    @Test func `a subscription ends with its scope, once`() {
        launch(.sample("ses_1"), scope: 1)
        let subscription = subscribe(to: 1)
        endSession(scope: 1)
        store.dispatch(.onboarding(.goToSignIn))
        #expect(heard.values == ["ses_1"])
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `it hears nothing of the next user`() {
        launch(.sample("ses_1"), scope: 1)
        let subscription = subscribe(to: 1)
        endSession(scope: 1)
        signIn(.sample("ses_2"), scope: 2)
        #expect(store.state.userSession?.id == "ses_2")
        #expect(heard.values == ["ses_1"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `it hears nothing of a scope of the same kind that takes the place of its own in one step`() {
        // No action of Koober does so.
        let store = Store<AppState, AppState>(state: .initial, reducer: { $1 })
        launch(.sample("ses_1"), scope: 1)
        let first = self.store.state
        endSession(scope: 1)
        signIn(.sample("ses_2"), scope: 2)
        store.dispatch(first)
        let subscription = store.publisher.scoped { $0.signedIn(SerialNumber(1)) }
            .subscribe(receive: { heard.hear($0.userSession.id) }, finished: { ends.hear(()) })
        store.dispatch(self.store.state)
        store.dispatch(Reducers.app(first, .signedIn(scope: SerialNumber(1), .profile(.show))))
        #expect(heard.values == ["ses_1"])
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `one that comes too late ends at once`() {
        let subscription = subscribe(to: 1)
        launch(.sample("ses_1"), scope: 1)
        #expect(heard.values.isEmpty)
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `what lies deeper is out of scope where either is`() {
        launch(.sample("ses_1"), scope: 1)
        store.dispatch(
            .signedIn(
                scope: SerialNumber(1), .gettingUserLocation(scope: SerialNumber(1), .foundNoActiveRide)))
        let located = AppAction.signedIn(
            scope: SerialNumber(1),
            .gettingUserLocation(
                scope: SerialNumber(1), .foundUserLocation(SampleService.sydney, scope: SerialNumber(2))))
        let pickMeUp = { (state: AppState, session: Int, scope: Int) in
            state.signedIn(SerialNumber(session)).flatMap { $0.pickMeUp(SerialNumber(scope)) } != .outOfScope
        }
        #expect(!pickMeUp(store.state, 1, 2))
        store.dispatch(located)
        #expect(pickMeUp(store.state, 1, 2))
        #expect(!pickMeUp(store.state, 1, 1))
        #expect(!pickMeUp(store.state, 2, 2))
    }

    @Test func `answers for a session that has ended change nothing`() {
        launch(.sample("ses_1"), scope: 1)
        endSession(scope: 1)
        signIn(.sample("ses_2"), scope: 2)
        let state = store.state
        store.dispatch(
            .signedIn(
                scope: SerialNumber(1),
                .gettingUserLocation(
                    scope: SerialNumber(1), .foundUserLocation(SampleService.sydney, scope: SerialNumber(3)))))
        endSession(scope: 1)
        store.dispatch(.persistence(.saveFailed(.sample(4), userSession: "ses_1")))
        store.dispatch(.persistence(.deleteFailed(.sample(5))))
        #expect(store.state == state)
    }
}
