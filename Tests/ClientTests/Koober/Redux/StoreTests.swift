import KooberRedux
import Testing

/// The laws of the store, over a state that shows in which order actions came: each is appended as a digit.
@MainActor
struct StoreTests {
    private let heard = Heard<Int>()

    private func makeStore(_ middleware: [Middleware<Int, Int>] = []) -> Store<Int, Int> {
        Store(state: 0, reducer: { $0 * 10 + $1 }, middleware: middleware)
    }

    @Test func `a subscriber hears the present state at once, and then each that follows`() {
        let store = makeStore()
        store.dispatch(1)
        let subscription = store.publisher.subscribe { heard.hear($0) }
        store.dispatch(2)
        store.dispatch(3)
        #expect(heard.values == [1, 12, 123])
        withExtendedLifetime(subscription) {}
    }

    @Test func `what a subscriber dispatches waits until all have heard of the state`() {
        let store = makeStore()
        let late = Heard<Int>()
        let subscriptions = [
            store.publisher.subscribe {
                heard.hear($0)
                if $0 == 1 {
                    store.dispatch(2)
                    store.dispatch(3)
                    #expect(store.state == 1)
                }
            },
            store.publisher.subscribe { late.hear($0) },
        ]
        store.dispatch(1)
        #expect(heard.values == [0, 1, 12, 123])
        #expect(late.values == heard.values)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `what a middleware dispatches comes after the action that it was told of`() {
        let dispatcher = Heard<Store<Int, Int>>()
        let store = makeStore([{ action, _ in if action == 1 { dispatcher.values[0].dispatch(2) } }])
        dispatcher.hear(store)
        let subscription = store.publisher.subscribe { heard.hear($0) }
        store.dispatch(1)
        #expect(heard.values == [0, 1, 12])
        withExtendedLifetime(subscription) {}
    }

    @Test func `an effect follows once all have heard of what its action changed, and not where it changed nothing`() {
        let store = Store<Int, Int>(state: 0, reducer: { max($0, $1) })
        let log = Heard<String>()
        let subscription = store.publisher.subscribe { state in
            log.hear("state \(state)")
            // Waits, with its effect.
            if state == 2 { store.dispatch(3) { log.hear("effect of 3") } }
        }
        store.dispatch(2) { log.hear("effect of 2") }
        store.scoped { $0 }.dispatch(1) { log.hear("effect of 1") }
        #expect(log.values == ["state 0", "state 2", "effect of 2", "state 3", "effect of 3"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a middleware is told of each action before the subscribers, also where nothing changes`() {
        let log = Heard<String>()
        let store = Store<Int, Int>(
            state: 0, reducer: { max($0, $1) }, middleware: [{ log.hear("\($0) led to \($1)") }])
        let subscription = store.publisher.subscribe { log.hear("state \($0)") }
        store.dispatch(2)
        store.dispatch(1)
        #expect(log.values == ["state 0", "2 led to 2", "state 2", "1 led to 2"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `who subscribes while others are told hears each state once`() {
        let store = makeStore()
        var late: StateSubscription?
        let subscription = store.publisher.subscribe { state in
            if state == 1 { late = store.publisher.subscribe { heard.hear($0) } }
        }
        store.dispatch(1)
        store.dispatch(2)
        #expect(heard.values == [1, 12])
        withExtendedLifetime((subscription, late)) {}
    }

    @Test func `who is let go of, or cancels, while others are told hears nothing any more`() {
        let store = makeStore()
        var subscriptions: [StateSubscription] = []
        subscriptions.append(
            store.publisher.subscribe { state in
                guard state == 1 else { return }
                subscriptions[1].cancel()
                subscriptions.removeLast()
            })
        subscriptions.append(store.publisher.subscribe { heard.hear($0) })
        subscriptions.append(store.publisher.subscribe { heard.hear($0) })
        store.dispatch(1)
        store.dispatch(2)
        #expect(heard.values == [0, 0])
    }

    @Test func `a subscriber to a part hears only of its changes`() {
        let store = makeStore()
        let subscription = store.publisher.select { $0 % 2 == 0 }.select { $0 ? "even" : "odd" }
            .subscribe { value in heard.hear(value == "even" ? 2 : 1) }
        for digit in [2, 4, 1, 3, 6, 8] { store.dispatch(digit) }
        #expect(heard.values == [2, 1, 2])
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

    @Test func `a store that nobody has any more is gone, whoever observes it`() {
        weak var gone: Store<Int, Int>?
        do {
            let store = makeStore()
            gone = store
            let subscription = store.publisher.subscribe { heard.hear($0) }
            withExtendedLifetime(subscription) {}
        }
        #expect(gone == nil)
    }
}
