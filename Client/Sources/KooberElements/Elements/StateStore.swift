/// One piece of state, which use cases write and observers watch.
///
/// A use case could return its result to its caller instead. Each caller would then keep a copy, and pass it on to the
/// others that need it. With a store, as with a database, all screens show the same value, and a use case does the same
/// whether a screen, a test or another event starts it.
///
/// Unlike in Redux there are no actions, and no single state of the whole app: each scope has a store that lives and
/// ends with it, so that no state of one user is left for the next.
@MainActor
public final class StateStore<State: Equatable>: EventSource {
    public private(set) var state: State
    private let broadcaster = Broadcaster<State>()

    public init(_ state: State) {
        self.state = state
    }

    /// Changes the state, and delivers it before this method returns. A change made by an observer is delivered right
    /// after the change that this observer is receiving. An equal state is not delivered.
    ///
    /// Values that belong together are changed in one call, because each change is delivered.
    public func update(_ change: (inout State) -> Void) {
        var changed = state
        change(&changed)
        guard changed != state else { return }
        state = changed
        broadcaster.broadcast(changed)
    }

    public func attach(_ subscription: Subscription<State>) {
        broadcaster.attach(subscription)
        // During a delivery the state may be newer than the one being delivered. All subscribers get it afterwards.
        subscription.deliver(broadcaster.latest ?? state)
    }

    /// Returns a source of one part of the state, which delivers only changes of that part.
    public func select<Value: Equatable>(_ select: @escaping @MainActor (State) -> Value) -> some EventSource<Value> {
        StateSelection(store: self, select: select)
    }
}

private struct StateSelection<State: Equatable, Value: Equatable>: EventSource {
    let store: StateStore<State>
    let select: @MainActor (State) -> Value

    func attach(_ subscription: Subscription<Value>) {
        var last: Value?
        let changes = Subscription<State> { [weak subscription] state in
            let value = select(state)
            guard value != last else { return }
            last = value
            subscription?.deliver(value)
        }
        subscription.upstream = changes
        store.attach(changes)
    }
}
