import Observation
import Synchronization

/// Follows a value that is computed from observable objects, until it is released.
@MainActor
public final class Subscription {
    private var follow: (@MainActor () -> Void)?

    fileprivate init(_ follow: @escaping @MainActor () -> Void) {
        self.follow = follow
    }

    /// Stops deliveries immediately.
    public func cancel() {
        follow = nil
    }

    fileprivate func update() {
        follow?()
    }
}

/// Delivers changes of observable objects to subscriptions, in the order in which these were created: a parent learns
/// of a change before its children, which it may then remove.
///
/// Changes are delivered at the end of the main actor's turn, or immediately by `flush`.
@MainActor
public final class UpdateCycle {
    private struct Subscribed {
        weak var subscription: Subscription?
    }

    /// Called after each delivery of changes.
    public var onEnd: @MainActor () -> Void = {}
    private var subscriptions: [Int: Subscribed] = [:]
    private var lastID = 0
    private var isFlushing = false
    private let changes = ChangedSubscriptions()

    public init() {}

    /// Calls `receive` with the value now and after each change, without repetitions.
    ///
    /// - Parameter value: computed from properties of `@Observable` objects.
    /// - Returns: a subscription for the caller to retain. Releasing it ends it.
    public func subscribe<Value: Equatable>(
        to value: @escaping @MainActor () -> Value, receive: @escaping @MainActor (Value) -> Void
    ) -> Subscription {
        lastID += 1
        let id = lastID
        var last: Value?
        let subscription = Subscription { [weak self, changes] in
            let now = withObservationTracking(value) {
                if changes.insert(id) { Task { @MainActor in self?.flush() } }
            }
            guard now != last else { return }
            last = now
            receive(now)
        }
        subscriptions[id] = Subscribed(subscription: subscription)
        subscription.update()
        return subscription
    }

    /// Ends the turn later even if no subscription has changed.
    func schedule() {
        if changes.schedule() { Task { self.flush() } }
    }

    /// Delivers all changes so far, and those that they cause. Does nothing within a delivery, which continues with
    /// them.
    public func flush() {
        guard !isFlushing else { return }
        isFlushing = true
        while let id = changes.next() { subscriptions[id]?.subscription?.update() }
        subscriptions = subscriptions.filter { $0.value.subscription != nil }
        isFlushing = false
        onEnd()
    }
}

/// The subscriptions whose values have changed, which any thread may report.
private final class ChangedSubscriptions: Sendable {
    private struct State {
        var ids: Set<Int> = []
        var isScheduled = false
    }

    private let state = Mutex(State())

    /// - Returns: whether a delivery has to be scheduled.
    func insert(_ id: Int) -> Bool {
        state.withLock { state in
            state.ids.insert(id)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    func schedule() -> Bool {
        state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Removes the oldest subscription that has changed.
    func next() -> Int? {
        state.withLock { state in
            guard let id = state.ids.min() else {
                state.isScheduled = false
                return nil
            }
            return state.ids.remove(id)
        }
    }
}
