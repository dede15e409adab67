import KooberScreens

/// A part of the state to subscribe to. Its subscribers know neither the rest of the state nor the store, and can read
/// the part only by subscribing.
@MainActor
public struct StatePublisher<State: Equatable & Sendable> {
    private let read: @MainActor () -> State?
    private let updates: UpdateCycle

    /// - Parameter read: returns nil while the part is out of scope.
    init(read: @escaping @MainActor () -> State?, updates: UpdateCycle) {
        self.read = read
        self.updates = updates
    }

    /// Returns a publisher of a part that always exists.
    public func select<Part>(_ getter: @escaping @MainActor (State) -> Part) -> StatePublisher<Part> {
        StatePublisher<Part>(read: { read().map(getter) }, updates: updates)
    }

    /// Returns a publisher of a part that exists only in its scope, for example during one session.
    ///
    /// - Parameter getter: returns nil out of the scope.
    public func scoped<Part>(_ getter: @escaping @MainActor (State) -> Part?) -> StatePublisher<Part> {
        StatePublisher<Part>(read: { read().flatMap(getter) }, updates: updates)
    }

    /// Calls `receive` immediately with the current state, and then with each state that differs from the previous one.
    ///
    /// The subscription ends once the state is out of scope, even if the same part exists again later.
    /// - Returns: a subscription for the caller to retain. Releasing it ends it.
    public func subscribe(
        receive: @escaping @MainActor (State) -> Void, finished: @escaping @MainActor () -> Void = {}
    ) -> Subscription {
        var hasFinished = false
        return updates.subscribe(to: read) { state in
            guard !hasFinished else { return }
            if let state { return receive(state) }
            hasFinished = true
            finished()
        }
    }
}

/// A view that renders the parts of the state to which it subscribes. It has no state of its own, and does not read the
/// store: it passes the user's actions to its user interactions.
class StateView: ScreenView {
    /// Calls `render` with the part now and whenever it differs, until it is out of scope.
    func render<Part>(_ part: StatePublisher<Part>, _ render: @escaping @MainActor (Part) -> Void) {
        keep(part.subscribe(receive: render))
    }
}
