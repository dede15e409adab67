/// Several observers that start and stop together, as one.
@MainActor
public final class ObserverComposition: Observer {
    private let observers: [any Observer]

    public init(observers: any Observer...) {
        self.observers = observers
    }

    /// Also completes what was started in part: each of them knows whether it listens.
    public func startObserving() {
        for observer in observers { observer.startObserving() }
    }

    public func stopObserving() {
        for observer in observers { observer.stopObserving() }
    }
}
