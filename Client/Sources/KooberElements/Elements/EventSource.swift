/// A source of events. Any technology can be behind it: a broadcaster, a state store, an asynchronous sequence.
@MainActor
public protocol EventSource<Event> {
    associatedtype Event

    /// Delivers events from now on. A source of states delivers the present state before it returns.
    ///
    /// Sources hold subscriptions weakly: the caller keeps the subscription as long as it wants events.
    func attach(_ subscription: Subscription<Event>)
}

/// One subscriber of a source. It gets no more events once it is cancelled or released.
@MainActor
public final class Subscription<Event>: Cancelable {
    private var receive: (@MainActor (Event) -> Void)?
    /// The subscription that the events are derived from, if any.
    var upstream: AnyObject?
    private var task: Task<Void, Never>?

    public init(_ receive: @escaping @MainActor (Event) -> Void) {
        self.receive = receive
    }

    deinit { task?.cancel() }

    public var isCancelled: Bool { receive == nil }

    public func deliver(_ event: Event) { receive?(event) }

    /// Delivers the last event. The subscription is cancelled already when the subscriber receives it.
    public func deliverLast(_ event: Event) {
        let receive = receive
        cancel()
        receive?(event)
    }

    public func cancel() {
        receive = nil
        upstream = nil
        task?.cancel()
        task = nil
    }

    /// Runs an operation that delivers the events, and is cancelled together with the subscription.
    func feed(_ operation: @escaping @MainActor () async -> Void) {
        task = Task(operation: operation)
    }
}

/// Delivers events to any number of subscribers.
@MainActor
public final class Broadcaster<Event>: EventSource {
    @MainActor
    private struct Subscriber {
        weak var subscription: Subscription<Event>?

        var isCancelled: Bool { subscription?.isCancelled ?? true }
    }

    private var subscribers: [Subscriber] = []
    private var waiting: [Event] = []
    private var isBroadcasting = false
    /// The event that is being or was last delivered; nil before the first.
    private(set) var latest: Event?

    public init() {}

    public func attach(_ subscription: Subscription<Event>) {
        subscribers.append(Subscriber(subscription: subscription))
    }

    /// Delivers the event to all subscribers. An event that a subscriber broadcasts waits until all have the present
    /// one, so that all get the same events in the same order.
    public func broadcast(_ event: Event) {
        waiting.append(event)
        guard !isBroadcasting else { return }
        isBroadcasting = true
        while !waiting.isEmpty {
            let event = waiting.removeFirst()
            latest = event
            subscribers.removeAll { $0.isCancelled }
            for subscriber in subscribers { subscriber.subscription?.deliver(event) }
        }
        isBroadcasting = false
    }
}

/// The elements of an asynchronous sequence, which each subscription starts from its beginning.
@MainActor
public struct StreamSource<Stream: AsyncSequence>: EventSource {
    public enum Event {
        case element(Stream.Element)
        /// The last event, with the error if the sequence failed.
        case ended((any Error)?)
    }

    private let makeStream: @MainActor () -> Stream

    public init(_ makeStream: @escaping @MainActor () -> Stream) {
        self.makeStream = makeStream
    }

    public func attach(_ subscription: Subscription<Event>) {
        let stream = makeStream()
        subscription.feed { [weak subscription] in
            do {
                for try await element in stream { subscription?.deliver(.element(element)) }
                subscription?.deliverLast(.ended(nil))
            } catch {
                subscription?.deliverLast(.ended(error))
            }
        }
    }
}
