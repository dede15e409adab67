import KooberRedux
import PouchEntities
import PouchTesting
import Testing

/// The rules of the store. The state lists the digits of all actions in their order.
@MainActor
struct StoreTests {
    private let received = Received<Int>()

    private func makeStore(_ middleware: [Middleware<Int, Int>] = []) -> Store<Int, Int> {
        Store(state: 0, reducer: { $0 * 10 + $1 }, middleware: middleware)
    }

    @Test func `a subscriber gets the present state at once, and then each later one`() {
        let store = makeStore()
        store.dispatch(1)
        let subscription = store.publisher.subscribe { received.append($0) }
        store.dispatch(2)
        store.dispatch(3)
        #expect(received.values == [1, 12, 123])
        withExtendedLifetime(subscription) {}
    }

    @Test func `an action dispatched by a subscriber waits until all subscribers have the state`() {
        let store = makeStore()
        let late = Received<Int>()
        let subscriptions = [
            store.publisher.subscribe {
                received.append($0)
                if $0 == 1 {
                    store.dispatch(2)
                    store.dispatch(3)
                    #expect(store.state == 1)
                }
            },
            store.publisher.subscribe { late.append($0) },
        ]
        store.dispatch(1)
        #expect(received.values == [0, 1, 12, 123])
        #expect(late.values == received.values)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `an action dispatched by a middleware follows the action that caused it`() {
        let dispatcher = Received<Store<Int, Int>>()
        let store = makeStore([{ action, _ in if action == 1 { dispatcher.values[0].dispatch(2) } }])
        dispatcher.append(store)
        let subscription = store.publisher.subscribe { received.append($0) }
        store.dispatch(1)
        #expect(received.values == [0, 1, 12])
        withExtendedLifetime(subscription) {}
    }

    @Test func `an effect runs after all subscribers have the new state, and only if the action changed it`() {
        let store = Store<Int, Int>(state: 0, reducer: { max($0, $1) })
        let log = Received<String>()
        let subscription = store.publisher.subscribe { state in
            log.append("state \(state)")
            // The action waits, and so does its effect.
            if state == 2 { store.dispatch(3) { log.append("effect of 3") } }
        }
        store.dispatch(2) { log.append("effect of 2") }
        store.scoped { $0 }.dispatch(1) { log.append("effect of 1") }
        #expect(log.values == ["state 0", "state 2", "effect of 2", "state 3", "effect of 3"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a middleware gets each action before the subscribers do, even if nothing changes`() {
        let log = Received<String>()
        let store = Store<Int, Int>(
            state: 0, reducer: { max($0, $1) }, middleware: [{ log.append("\($0) led to \($1)") }])
        let subscription = store.publisher.subscribe { log.append("state \($0)") }
        store.dispatch(2)
        store.dispatch(1)
        #expect(log.values == ["state 0", "2 led to 2", "state 2", "1 led to 2"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a subscriber added during a notification gets each state once`() {
        let store = makeStore()
        var late: StateSubscription?
        let subscription = store.publisher.subscribe { state in
            if state == 1 { late = store.publisher.subscribe { received.append($0) } }
        }
        store.dispatch(1)
        store.dispatch(2)
        #expect(received.values == [1, 12])
        withExtendedLifetime((subscription, late)) {}
    }

    @Test func `a subscription released or cancelled during a notification gets nothing more`() {
        let store = makeStore()
        var subscriptions: [StateSubscription] = []
        subscriptions.append(
            store.publisher.subscribe { state in
                guard state == 1 else { return }
                subscriptions[1].cancel()
                subscriptions.removeLast()
            })
        subscriptions.append(store.publisher.subscribe { received.append($0) })
        subscriptions.append(store.publisher.subscribe { received.append($0) })
        store.dispatch(1)
        store.dispatch(2)
        #expect(received.values == [0, 0])
    }

    @Test func `a subscriber to a part gets only its changes`() {
        let store = makeStore()
        let subscription = store.publisher.select { $0 % 2 == 0 }.select { $0 ? "even" : "odd" }
            .subscribe { value in received.append(value == "even" ? 2 : 1) }
        for digit in [2, 4, 1, 3, 6, 8] { store.dispatch(digit) }
        #expect(received.values == [2, 1, 2])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a part's dispatcher dispatches its actions as those of the whole`() {
        let store = Store<[String], String>(state: [], reducer: { $0 + [$1] })
        let part: any ActionDispatcher<Int> = store.scoped { (number: Int) in "part \(number)" }
        let deeper: any ActionDispatcher<Bool> = part.scoped { $0 ? 1 : 0 }
        deeper.dispatch(true)
        part.dispatch(2)
        #expect(store.state == ["part 1", "part 2"])
    }

    @Test func `a store without references is deallocated, even with subscribers`() {
        weak var gone: Store<Int, Int>?
        do {
            let store = makeStore()
            gone = store
            let subscription = store.publisher.subscribe { received.append($0) }
            withExtendedLifetime(subscription) {}
        }
        #expect(gone == nil)
    }
}

/// A subscription to the state of one user never gets the state of the next.
@MainActor
struct ScopedStateTests {
    private let store = Store(state: AppState.initial, reducer: Reducers.app)
    private let received = Received<UserSession.ID>()
    private let ends = Received<Void>()

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
            .subscribe(receive: { received.append($0) }, finished: { ends.append(()) })
    }

    @Test func `a subscription ends with its scope, once`() {
        launch(.sample("ses_1"), scope: 1)
        let subscription = subscribe(to: 1)
        endSession(scope: 1)
        store.dispatch(.onboarding(.goToSignIn))
        #expect(received.values == ["ses_1"])
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `a subscription gets nothing of the next user`() {
        launch(.sample("ses_1"), scope: 1)
        let subscription = subscribe(to: 1)
        endSession(scope: 1)
        signIn(.sample("ses_2"), scope: 2)
        #expect(store.state.userSession?.id == "ses_2")
        #expect(received.values == ["ses_1"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a subscription gets nothing of a scope that replaces its own in one step`() {
        // No action of Koober does this.
        let store = Store<AppState, AppState>(state: .initial, reducer: { $1 })
        launch(.sample("ses_1"), scope: 1)
        let first = self.store.state
        endSession(scope: 1)
        signIn(.sample("ses_2"), scope: 2)
        store.dispatch(first)
        let subscription = store.publisher.scoped { $0.signedIn(SerialNumber(1)) }
            .subscribe(receive: { received.append($0.userSession.id) }, finished: { ends.append(()) })
        store.dispatch(self.store.state)
        store.dispatch(Reducers.app(first, .signedIn(scope: SerialNumber(1), .profile(.show))))
        #expect(received.values == ["ses_1"])
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `a late subscription ends at once`() {
        let subscription = subscribe(to: 1)
        launch(.sample("ses_1"), scope: 1)
        #expect(received.values.isEmpty)
        #expect(ends.values.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func `a nested state is out of scope if either scope is`() {
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

/// The values that a subscriber received, in order.
@MainActor
final class Received<Value> {
    private(set) var values: [Value] = []

    func append(_ value: Value) {
        values.append(value)
    }
}
