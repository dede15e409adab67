import KooberScreens
import Observation

/// Applies an action to the state. It has no effects, and depends only on its parameters. An action that does not apply
/// to the state changes nothing.
public typealias Reducer<State, Action> = @Sendable (inout State, Action) -> Void

/// The reducers, which each feature adds next to its state and its actions.
public enum Reducers {}

/// Receives each action with the resulting state, before the subscribers do.
public typealias Middleware<State, Action> = @MainActor (_ action: Action, _ state: State) -> Void

/// Holds the state, which changes only through actions, one at a time.
///
///     let store = Store(state: AppState(), reducer: Reducers.app)
///     let subscription = store.publisher.select(\.isOffline).subscribe { isOffline in … }
///     store.dispatch(.launching(.finishedLaunchingApp(nil)))
///
/// An action that a middleware or a subscriber dispatches waits until all subscribers have the current state.
@MainActor
@Observable
public final class Store<State: Equatable & Sendable, Action: Sendable>: ActionDispatcher {
    public private(set) var state: State
    private let reducer: Reducer<State, Action>
    private let middleware: [Middleware<State, Action>]
    private let updates: UpdateCycle
    @ObservationIgnored private var waiting: [Action] = []
    @ObservationIgnored private var isDispatching = false

    public init(
        state: State, reducer: @escaping Reducer<State, Action>, middleware: [Middleware<State, Action>] = [],
        updates: UpdateCycle = UpdateCycle()
    ) {
        self.state = state
        self.reducer = reducer
        self.middleware = middleware
        self.updates = updates
    }

    public func dispatch(_ action: Action) {
        waiting.append(action)
        guard !isDispatching else { return }
        isDispatching = true
        while !waiting.isEmpty { perform(waiting.removeFirst()) }
        isDispatching = false
    }

    private func perform(_ action: Action) {
        reducer(&state, action)
        for middleware in middleware { middleware(action, state) }
        updates.flush()
    }

    public var publisher: StatePublisher<State> {
        StatePublisher(read: { self.state }, updates: updates)
    }
}

/// Dispatches actions, and does not read the state. User interactions and the persister each receive one for their part
/// of the app.
@MainActor
public protocol ActionDispatcher<Action>: Sendable {
    associatedtype Action: Sendable

    func dispatch(_ action: Action)
}

extension ActionDispatcher {
    /// Returns a dispatcher for one part of the app, which knows only the actions of that part.
    public func scoped<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> any ActionDispatcher<Part> {
        ScopedDispatcher(whole: self, embed: embed)
    }
}

private struct ScopedDispatcher<Whole: ActionDispatcher, Action: Sendable>: ActionDispatcher {
    let whole: Whole
    let embed: @Sendable (Action) -> Whole.Action

    func dispatch(_ action: Action) { whole.dispatch(embed(action)) }
}
