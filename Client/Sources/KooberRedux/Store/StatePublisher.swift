/// A part of the state to subscribe to. Its subscribers know neither the rest of the state nor the store.
@MainActor
public struct StatePublisher<State: Equatable & Sendable> {
    let read: @MainActor () -> ScopedState<State>
    let attach: @MainActor (StateSubscription) -> Void

    /// Returns a publisher of a part that always exists.
    public func select<Part>(_ getter: @escaping @MainActor (State) -> Part) -> StatePublisher<Part> {
        scoped { .inScope(getter($0)) }
    }

    /// Returns a publisher of a part that exists only in its scope.
    public func scoped<Part>(
        _ getter: @escaping @MainActor (State) -> ScopedState<Part>
    ) -> StatePublisher<Part> {
        StatePublisher<Part>(read: { read().flatMap(getter) }, attach: attach)
    }

    /// Calls `receive` with the present state at once, and then with each state that differs from the one before.
    ///
    /// The subscription ends once the state is out of scope, even if the same part exists again later.
    /// - Returns: a subscription for the caller to keep. Releasing it ends it.
    public func subscribe(
        receive: @escaping @MainActor (State) -> Void, finished: @escaping @MainActor () -> Void = {}
    ) -> StateSubscription {
        var last: State?
        let subscription = StateSubscription { subscription in
            switch read() {
            case .inScope(let state):
                guard state != last else { return }
                last = state
                receive(state)
            case .outOfScope:
                subscription.cancel()
                finished()
            }
        }
        attach(subscription)
        subscription.update()
        return subscription
    }
}

/// One subscriber's interest in a state. It ends when it is cancelled or released.
@MainActor
public final class StateSubscription {
    private var onUpdate: (@MainActor (StateSubscription) -> Void)?

    init(onUpdate: @escaping @MainActor (StateSubscription) -> Void) {
        self.onUpdate = onUpdate
    }

    func update() {
        onUpdate?(self)
    }

    /// Stops deliveries at once, even that of a state that other subscribers are receiving.
    public func cancel() {
        onUpdate = nil
    }
}

/// A part of the state that exists only in its scope, for example during one session.
public enum ScopedState<State: Equatable & Sendable>: Equatable, Sendable {
    case outOfScope
    case inScope(State)

    /// Returns a part of this part, which is out of scope if either is.
    public func flatMap<Part>(_ getter: (State) -> ScopedState<Part>) -> ScopedState<Part> {
        switch self {
        case .outOfScope: .outOfScope
        case .inScope(let state): getter(state)
        }
    }
}

/// The present value of a state, for views that need it when the user acts; nil once it is out of scope.
@MainActor
final class LatestState<State: Equatable & Sendable> {
    private(set) var value: State?
    private var subscription: StateSubscription?

    init(_ publisher: StatePublisher<State>) {
        subscription = publisher.subscribe(
            receive: { [weak self] in self?.value = $0 }, finished: { [weak self] in self?.value = nil })
    }
}
