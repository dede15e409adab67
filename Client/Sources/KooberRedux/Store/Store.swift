/// What the state is after an action: of these two alone, without any effect.
public typealias Reducer<State, Action> = @Sendable (State, Action) -> State

/// Told of each action with the state that it led to, before anybody who observes the state.
public typealias Middleware<State, Action> = @MainActor (_ action: Action, _ state: State) -> Void

/// Holds the state, which changes by actions alone, one after the other.
///
/// What is dispatched by a middleware, an effect or by who is told of a state waits until all have been told of that state.
@MainActor
public final class Store<State: Equatable & Sendable, Action: Sendable>: ActionDispatcher {
    private struct Observer {
        weak var subscription: StateSubscription?
    }

    private struct Dispatch {
        let action: Action
        let effect: @MainActor () -> Void
    }

    public private(set) var state: State
    private let reducer: Reducer<State, Action>
    private let middleware: [Middleware<State, Action>]
    private var observers: [Observer] = []
    private var waiting: [Dispatch] = []
    private var isDispatching = false

    public init(
        state: State, reducer: @escaping Reducer<State, Action>, middleware: [Middleware<State, Action>] = []
    ) {
        self.state = state
        self.reducer = reducer
        self.middleware = middleware
    }

    public func dispatch(_ action: Action, effect: @escaping @MainActor () -> Void) {
        waiting.append(Dispatch(action: action, effect: effect))
        guard !isDispatching else { return }
        isDispatching = true
        while !waiting.isEmpty { perform(waiting.removeFirst()) }
        isDispatching = false
    }

    private func perform(_ dispatch: Dispatch) {
        let former = state
        state = reducer(state, dispatch.action)
        for middleware in middleware { middleware(dispatch.action, state) }
        guard state != former else { return }
        observers.removeAll { $0.subscription == nil }
        for observer in observers { observer.subscription?.update() }
        dispatch.effect()
    }

    /// The whole state, which is never out of scope.
    public var publisher: StatePublisher<State> {
        StatePublisher(
            read: { .inScope(self.state) },
            observe: { self.observers.append(Observer(subscription: $0)) })
    }
}
