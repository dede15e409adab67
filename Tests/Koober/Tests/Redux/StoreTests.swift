import Testing

@testable import KooberRedux

/// The rules of the store. The state lists the digits of all actions in their order.
@MainActor struct StoreTests {
    private let received = Received<Int>()

    private func makeStore(_ middleware: [Middleware<Int, Int>] = []) -> Store<Int, Int> {
        Store(state: 0, reducer: { $0 = $0 * 10 + $1 }, middleware: middleware)
    }

    @Test func `a subscriber gets the present state at once, and then each later one`() {
        let store = makeStore()
        store.dispatch(1)
        received.keep(store.publisher.subscribe { received.append($0) })
        store.dispatch(2)
        store.dispatch(3)
        #expect(received.values == [1, 12, 123])
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
        received.keep(store.publisher.subscribe { received.append($0) })
        store.dispatch(1)
        #expect(received.values == [0, 1, 12])
    }

    @Test func `a middleware gets each action before the subscribers do, even if nothing changes`() {
        let log = Received<String>()
        let middleware = ["first", "second"].map { name in
            { @MainActor (action: Int, state: Int) in log.append("\(name): \(action) led to \(state)") }
        }
        let store = Store<Int, Int>(state: 0, reducer: { $0 = max($0, $1) }, middleware: middleware)
        log.keep(store.publisher.subscribe { log.append("state \($0)") })
        store.dispatch(2)
        store.dispatch(1)
        #expect(
            log.values == [
                "state 0", "first: 2 led to 2", "second: 2 led to 2", "state 2", "first: 1 led to 2",
                "second: 1 led to 2",
            ])
    }

    @Test func `a part's dispatcher dispatches its actions as those of the whole`() {
        let store = Store<[String], String>(state: [], reducer: { $0.append($1) })
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
            let subscription = store.publisher.select { $0 % 2 }.subscribe { received.append($0) }
            withExtendedLifetime(subscription) {}
        }
        #expect(gone == nil)
    }
}

/// The parts of a state. The state is the last action.
@MainActor struct StatePublisherTests {
    private struct Whole: Equatable, Sendable {
        var user: String?
        var number = 0
    }

    private let store = Store<Whole, Whole>(state: Whole(), reducer: { $0 = $1 })
    private let received = Received<String>()

    private func follow(_ user: StatePublisher<String>) {
        received.keep(user.subscribe(receive: { received.append($0) }, finished: { received.append("finished") }))
    }

    @Test func `a subscriber to a part gets only its changes`() {
        let parity = store.publisher.select(\.number).select { $0 % 2 == 0 ? "even" : "odd" }
        received.keep(parity.subscribe { received.append($0) })
        for number in [2, 4, 1, 3, 6, 8] { store.dispatch(Whole(number: number)) }
        store.dispatch(Whole(user: "Ada", number: 8))
        #expect(received.values == ["even", "odd", "even"])
    }

    @Test func `a subscription ends with its scope, once and permanently`() {
        store.dispatch(Whole(user: "Ada"))
        follow(store.publisher.scoped(\.user))
        store.dispatch(Whole(user: "Ada", number: 1))
        store.dispatch(Whole())
        store.dispatch(Whole(number: 2))
        store.dispatch(Whole(user: "Grace"))
        store.dispatch(Whole())
        #expect(received.values == ["Ada", "finished"])
    }

    @Test func `a subscription out of scope finishes at once`() {
        follow(store.publisher.scoped(\.user))
        store.dispatch(Whole(user: "Ada"))
        #expect(received.values == ["finished"])
    }

    @Test func `a part of a scope is out of scope with it`() {
        store.dispatch(Whole(user: "Ada"))
        let user = store.publisher.scoped(\.user)
        let subscriptions = [
            user.select(\.count).subscribe(
                receive: { received.append("\($0) letters") }, finished: { received.append("finished") }),
            user.scoped { $0.first == "A" ? $0 : nil }.subscribe(
                receive: { received.append($0) }, finished: { received.append("without A") }),
        ]
        store.dispatch(Whole(user: "Grace"))
        store.dispatch(Whole())
        #expect(received.values == ["3 letters", "Ada", "5 letters", "without A", "finished"])
        withExtendedLifetime(subscriptions) {}
    }
}
