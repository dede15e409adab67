/// Delivers the events of one source to any number of responders by one subscription. It keeps none of them alive, and
/// stops when all are gone.
@MainActor
public final class MulticastObserver<Event>: Observer {
    private let observer: EventObserver<Event>
    private var responders: [EventResponder<Event>] = []
    /// By one of the responders, while they are being told.
    private var isStopped = false

    public init(_ source: some EventSource<Event>) {
        observer = EventObserver(source)
        observer.deliver(to: self) { $0.received($1) }
    }

    public var isObserving: Bool { observer.isObserving }

    /// One that is added while it observes hears what happens from then on.
    public func add<Responder: AnyObject>(
        _ responder: Responder, _ receive: @escaping @MainActor (Responder, Event) -> Void
    ) {
        responders.append(EventResponder(responder, receive))
    }

    public func startObserving() { observer.startObserving() }

    public func stopObserving() {
        isStopped = true
        observer.stopObserving()
    }

    private func received(_ event: Event) {
        responders.removeAll { $0.isGone }
        guard !responders.isEmpty else { return stopObserving() }
        isStopped = false
        for responder in responders where !isStopped { responder.receive(event) }
    }
}
