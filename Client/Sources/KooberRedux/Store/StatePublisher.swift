/// A part of the state to be observed by somebody who neither knows the rest nor the store.
@MainActor
public struct StatePublisher<State: Equatable & Sendable> {
    let read: @MainActor () -> ScopedState<State>
    let observe: @MainActor (StateSubscription) -> Void

    /// What lies deeper.
    public func select<Part>(_ getter: @escaping @MainActor (State) -> Part) -> StatePublisher<Part> {
        scoped { .inScope(getter($0)) }
    }

    /// What lies deeper, for as long as it is there.
    public func scoped<Part>(
        _ getter: @escaping @MainActor (State) -> ScopedState<Part>
    ) -> StatePublisher<Part> {
        StatePublisher<Part>(read: { read().flatMap(getter) }, observe: observe)
    }

    /// Gives the present state at once, and then each that differs from the one before.
    ///
    /// Once the state is out of scope, nothing comes any more, also if the same part is there again later.
    /// - Returns: To be kept; the subscription ends with it.
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
        observe(subscription)
        subscription.update()
        return subscription
    }
}
