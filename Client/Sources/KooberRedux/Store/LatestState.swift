/// The state as it was last told, for a view that needs it when its user acts; nil once it is out of scope.
@MainActor
final class LatestState<State: Equatable & Sendable> {
    private(set) var value: State?
    private var subscription: StateSubscription?

    init(_ publisher: StatePublisher<State>) {
        subscription = publisher.subscribe(
            receive: { [weak self] in self?.value = $0 }, finished: { [weak self] in self?.value = nil })
    }
}
