/// Records what happens, looks back at it, and plays it again.
///
/// Travelling is looking: the store goes on in the present, where its effects take place, once.
@MainActor
public final class TimeTravel<State: Equatable & Sendable, Action: Equatable & Sendable> {
    private let store: Store<History<State, Action>, History<State, Action>.Change>

    /// - Parameter limit: how many actions are kept.
    public init(start: State, limit: Int) {
        store = Store(state: History(start: start, limit: limit), reducer: History.reduced)
    }

    public var history: History<State, Action> { store.state }

    /// For the store whose history it is.
    public var middleware: Middleware<State, Action> {
        { [store] action, state in store.dispatch(.recorded(action, state)) }
    }

    /// The present state, or the past one that is looked at.
    public var displayedState: StatePublisher<State> {
        store.publisher.select(\.displayed)
    }

    /// Does nothing for a step that is not kept.
    public func travel(to step: Int) {
        store.dispatch(.travelled(to: step))
    }

    public func returnToPresent() {
        store.dispatch(.returned)
    }

    /// What the actions that are kept lead to in a fresh store that nobody else acts upon: the states of the history, if
    /// the reducer is pure.
    public func replay(with reducer: @escaping Reducer<State, Action>) -> [State] {
        let fresh = Store(state: history.start, reducer: reducer)
        return history.steps.map {
            fresh.dispatch($0.action)
            return fresh.state
        }
    }
}
