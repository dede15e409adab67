import KooberKit
import Observation
import Synchronization

@_exported import class KooberKit.LatestTask
@_exported import struct KooberKit.CurrentOwner

/// The place where views show their content. Each view writes its own part.
@MainActor
public protocol Display: AnyObject {
    /// The subscriptions with which the views follow their models.
    var updates: UpdateCycle { get }
    func show(_ content: KooberScreen.Content)
    func show(profile: ProfileScreen?)
    func show(error: ErrorMessage?)
    func show(isOffline: Bool)
}

/// A view of a part of the app, with its controller. It shows its model, and passes on the user's actions.
@MainActor
open class ScreenView {
    public let display: any Display
    private var subscriptions: [Subscription] = []

    public init(in display: any Display) {
        self.display = display
    }

    /// Shows the value now and after each change, as long as this view exists.
    public func bind<Value: Equatable>(
        _ value: @escaping @MainActor () -> Value, to show: @escaping @MainActor (Value) -> Void
    ) {
        keep(display.updates.subscribe(to: value, receive: show))
    }

    /// Ends the subscription with this view.
    public func keep(_ subscription: Subscription) {
        subscriptions.append(subscription)
    }

    /// Passes on an intention that the screen offers. Intentions of other views are ignored.
    open func perform(_ intention: Intention) {}
}

/// The display of an app. It publishes a screen once all views have followed a change.
@MainActor
public final class Window: Display {
    private struct Subscriber {
        let continuation: AsyncStream<KooberScreen>.Continuation
        var last: KooberScreen?
    }

    /// The published screen; nil before the first content.
    public private(set) var screen: KooberScreen?
    /// The subscriptions of the views, by which they follow their models.
    public let updates = UpdateCycle()
    private var next: KooberScreen?
    private var replacement: KooberScreen?
    private var subscribers: [Int: Subscriber] = [:]
    private var lastID = 0

    public init() {
        updates.onEnd = { [weak self] in self?.publish() }
    }

    deinit {
        for subscriber in subscribers.values { subscriber.continuation.finish() }
    }

    // MARK: Output

    public func show(_ content: KooberScreen.Content) {
        if next == nil { next = KooberScreen(content) } else { next?.content = content }
        updates.schedule()
    }

    public func show(profile: ProfileScreen?) {
        next?.profile = profile
        updates.schedule()
    }

    public func show(error: ErrorMessage?) {
        next?.error = error.map { ErrorNote(title: $0.title, message: $0.message) }
        updates.schedule()
    }

    public func show(isOffline: Bool) {
        next?.isOffline = isOffline
        updates.schedule()
    }

    /// Returns a stream that starts with the current screen, and finishes when the window is deallocated.
    public func screens() -> AsyncStream<KooberScreen> {
        let (stream, continuation) = AsyncStream.makeStream(of: KooberScreen.self)
        lastID += 1
        let id = lastID
        subscribers[id] = Subscriber(continuation: continuation, last: screen)
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.subscribers[id] = nil }
        }
        if let screen { continuation.yield(screen) }
        return stream
    }

    /// Shows this screen instead of the views' screen, which continues to change unseen, until it is called with nil.
    public func showTemporarily(_ screen: KooberScreen?) {
        replacement = screen
        updates.flush()
    }

    private func publish() {
        guard let next = replacement ?? next else { return }
        screen = next
        for (id, subscriber) in subscribers where subscriber.last != next {
            subscribers[id]?.last = next
            subscriber.continuation.yield(next)
        }
    }

    // MARK: Input

    /// Passes an intention to the views, if the screen offers it, and publishes the result.
    ///
    /// - Parameter perform: performs the user's action.
    public func perform(
        _ intention: Intention, by perform: (Intention) -> Void
    ) throws(UnofferedIntention) {
        guard let screen, screen.offers(intention) else { throw UnofferedIntention(intention, on: screen) }
        perform(intention)
        updates.flush()
    }
}

/// The size of the window, in characters.
public struct WindowSize: Hashable, Sendable {
    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

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
