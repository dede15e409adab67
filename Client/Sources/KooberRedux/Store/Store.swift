/// Returns the state after an action. It has no effects, and depends on its parameters only.
public typealias Reducer<State, Action> = @Sendable (State, Action) -> State

/// The reducers, which each feature adds next to its state and its actions.
///
/// A reducer ignores actions that do not apply to its state, and answers to requests that the state no longer waits
/// for.
public enum Reducers {}

/// Receives each action with the resulting state, before the subscribers do.
public typealias Middleware<State, Action> = @MainActor (_ action: Action, _ state: State) -> Void

/// Holds the state, which changes only by actions, one after the other.
///
///     let store = Store(state: AppState.initial, reducer: Reducers.app)
///     let subscription = store.publisher.select(\.userSession).subscribe { session in … }
///     store.dispatch(.launching(.finishedLaunchingApp(.notSignedIn)))
///
/// An action dispatched by a middleware, a subscriber or an effect waits until all subscribers have the present state.
@MainActor
public final class Store<State: Equatable & Sendable, Action: Sendable>: ActionDispatcher {
    private struct Subscriber {
        weak var subscription: StateSubscription?
    }

    private struct Dispatch {
        let action: Action
        let effect: @MainActor () -> Void
    }

    public private(set) var state: State
    private let reducer: Reducer<State, Action>
    private let middleware: [Middleware<State, Action>]
    private var subscribers: [Subscriber] = []
    private var waiting: [Dispatch] = []
    private var isDispatching = false
    /// Not part of the state, so that time travel repeats no number.
    private var lastSerialNumber = 0

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

    public func nextSerialNumber() -> SerialNumber {
        lastSerialNumber += 1
        return SerialNumber(lastSerialNumber)
    }

    private func perform(_ dispatch: Dispatch) {
        let former = state
        state = reducer(state, dispatch.action)
        for middleware in middleware { middleware(dispatch.action, state) }
        guard state != former else { return }
        subscribers.removeAll { $0.subscription == nil }
        for subscriber in subscribers { subscriber.subscription?.update() }
        dispatch.effect()
    }

    /// The whole state, which is never out of scope.
    public var publisher: StatePublisher<State> {
        StatePublisher(
            read: { .inScope(self.state) },
            attach: { self.subscribers.append(Subscriber(subscription: $0)) })
    }
}

/// Dispatches actions, and reads no state. User interactions and the persister each get one for their part of the app.
@MainActor
public protocol ActionDispatcher<Action>: Sendable {
    associatedtype Action: Sendable

    /// - Parameter effect: runs once the action has changed the state. If the state stays equal, the effect is dropped.
    func dispatch(_ action: Action, effect: @escaping @MainActor () -> Void)
    /// Returns a number that the store has not given out before.
    func nextSerialNumber() -> SerialNumber
}

extension ActionDispatcher {
    public func dispatch(_ action: Action) {
        dispatch(action) {}
    }

    /// Returns a dispatcher for one part of the app, which knows only the actions of that part.
    public func scoped<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> any ActionDispatcher<Part> {
        ScopedDispatcher(whole: self, embed: embed)
    }
}

private struct ScopedDispatcher<Whole: ActionDispatcher, Action: Sendable>: ActionDispatcher {
    let whole: Whole
    let embed: @Sendable (Action) -> Whole.Action

    func dispatch(_ action: Action, effect: @escaping @MainActor () -> Void) {
        whole.dispatch(embed(action), effect: effect)
    }

    func nextSerialNumber() -> SerialNumber { whole.nextSerialNumber() }
}
