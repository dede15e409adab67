/// One piece of state: use cases write it, observers watch it.
///
/// Use cases could as well give their results to whoever started them, by closures. Then each starter would keep a
/// copy, and hand it on to whomever else it concerns. Here a result goes to the store alone, as in an app that is built
/// around a database, and everybody who shows it watches the store: two screens never show different values of one
/// thing, and a use case does the same whether a screen started it, a test, or another event. Unlike with Redux there
/// are no actions and no single state of everything: each scope has a store of its own, made with it and gone with it,
/// so that nothing of one user is left for the next.
///
/// What belongs together is changed by one call, since each change is seen.
@MainActor
public final class StateStore<State: Equatable>: EventSource {
    public private(set) var state: State
    private let broadcaster = Broadcaster<State>()

    public init(_ state: State) {
        self.state = state
    }

    /// Observers are told before this returns, or, within a change that they are being told of, right after that one.
    /// An equal state is no change.
    public func update(_ change: (inout State) -> Void) {
        var changed = state
        change(&changed)
        guard changed != state else { return }
        state = changed
        broadcaster.broadcast(changed)
    }

    public func attach(_ subscription: Subscription<State>) {
        broadcaster.attach(subscription)
        // While a change is being told, the state may be ahead of it, and is told to everybody after it.
        subscription.deliver(broadcaster.latest ?? state)
    }

    /// What one screen shows of the state: told when that changes, whatever else does.
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
