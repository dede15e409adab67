import KooberKit
import KooberScreens
import Observation
import Synchronization

/// A source of events. Any technology can be behind it: observation, a broadcaster, an asynchronous sequence.
@MainActor
public protocol EventSource<Event> {
    associatedtype Event

    /// Delivers events until the returned object is released. A source of states delivers the current one immediately.
    func subscribe(_ receive: @escaping @MainActor (Event) -> Void) -> AnyObject
}

/// One piece of state, which use cases write and observers watch.
///
/// A use case could return its result to its caller instead. Each caller would then hold a copy, and pass it on to
/// others that need it. With a store, as with a database, all screens show the same value, and a use case has the same
/// effect whether a screen, a test or another event starts it.
///
/// Unlike in Redux, there are no actions, and no single state of the whole app: each scope has a store that lives and
/// ends with it, so that no state of one user remains for the next.
@MainActor
@Observable
public final class StateStore<State: Equatable> {
    public private(set) var state: State

    public init(_ state: State) {
        self.state = state
    }

    /// Changes the state, except for a cancelled use case: late responses change nothing.
    public func update(_ change: (inout State) -> Void) {
        if UseCaseCancellation.current?.isCancelled != true { change(&state) }
    }
}

/// A value computed from state stores. Changes within one turn of the main actor are one event.
@MainActor
public struct StateSource<Value: Equatable>: EventSource {
    private let updates: UpdateCycle
    private let value: @MainActor () -> Value

    public init(_ updates: UpdateCycle, _ value: @escaping @MainActor () -> Value) {
        self.updates = updates
        self.value = value
    }

    public func subscribe(_ receive: @escaping @MainActor (Value) -> Void) -> AnyObject {
        updates.subscribe(to: value, receive: receive)
    }
}

/// Delivers events to any number of subscribers. Broadcasters and subscribers do not know each other.
@MainActor
public final class Broadcaster<Event>: EventSource {
    @MainActor
    private final class Subscriber {
        let receive: @MainActor (Event) -> Void

        init(_ receive: @escaping @MainActor (Event) -> Void) {
            self.receive = receive
        }
    }

    private struct Subscribed {
        weak var subscriber: Subscriber?
    }

    private var subscribed: [Subscribed] = []
    private var waiting: [Event] = []
    private var isBroadcasting = false

    public init() {}

    public func subscribe(_ receive: @escaping @MainActor (Event) -> Void) -> AnyObject {
        let subscriber = Subscriber(receive)
        subscribed.append(Subscribed(subscriber: subscriber))
        return subscriber
    }

    /// Delivers the event to all subscribers, unless a cancelled use case broadcasts it.
    ///
    /// An event that a subscriber broadcasts waits until all have received the current one, so that all receive the
    /// same events in the same order.
    public func broadcast(_ event: Event) {
        guard UseCaseCancellation.current?.isCancelled != true else { return }
        waiting.append(event)
        guard !isBroadcasting else { return }
        isBroadcasting = true
        while !waiting.isEmpty {
            let event = waiting.removeFirst()
            subscribed.removeAll { $0.subscriber == nil }
            for subscribed in subscribed { subscribed.subscriber?.receive(event) }
        }
        isBroadcasting = false
    }
}

/// A state of the system that an asynchronous sequence reports. Each subscription starts its own sequence.
///
/// The sequence may be faster than the main actor. Of the states that arrive while it is busy, only the latest is
/// delivered.
@MainActor
public struct StreamSource<State: Sendable>: EventSource {
    @MainActor
    private final class Subscriber {
        let receive: @MainActor (State) -> Void
        let following = LatestTask()

        init(_ receive: @escaping @MainActor (State) -> Void) {
            self.receive = receive
        }
    }

    private let makeStream: @MainActor () -> AsyncStream<State>

    public init(_ makeStream: @escaping @MainActor () -> AsyncStream<State>) {
        self.makeStream = makeStream
    }

    public func subscribe(_ receive: @escaping @MainActor (State) -> Void) -> AnyObject {
        let subscriber = Subscriber(receive)
        let stream = makeStream()
        subscriber.following.run(for: subscriber) { current in
            let latest = Latest<State>()
            async let reading: Void = latest.read(stream)
            for await _ in latest.changes {
                if let state = latest.take() { current()?.receive(state) }
            }
            await reading
        }
        return subscriber
    }
}

/// The latest element of a sequence, which is read off the main actor.
private final class Latest<Element: Sendable>: Sendable {
    /// Several changes are combined into one until the element is read.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let element = Mutex<Element?>(nil)

    init() {
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    @concurrent
    func read(_ stream: AsyncStream<Element>) async {
        for await next in stream {
            element.withLock { $0 = next }
            change.yield()
        }
        change.finish()
    }

    /// Returns nil if it was taken since the last change.
    func take() -> Element? { element.withLock { $0.take() } }
}
