/// Delivers the events of one source to one responder, which it does not keep alive.
@MainActor
public final class EventObserver<Event>: Observer {
    private let source: any EventSource<Event>
    private var responder: EventResponder<Event>?
    private var subscription: Subscription<Event>?

    public init(_ source: some EventSource<Event>) {
        self.source = source
    }

    /// Not any more once the source has told its last.
    public var isObserving: Bool { subscription?.isCancelled == false }

    /// To be called before it is started, once what it delivers to exists; stops it where it runs.
    public func deliver<Responder: AnyObject>(
        to responder: Responder, _ receive: @escaping @MainActor (Responder, Event) -> Void
    ) {
        stopObserving()
        self.responder = EventResponder(responder, receive)
    }

    /// Does nothing while there is nobody to deliver to.
    public func startObserving() {
        guard !isObserving, let responder, !responder.isGone else { return }
        let subscription = Subscription<Event> { [weak self] event in
            // A weak reference tells nobody when it becomes nil, so it is looked at for each event.
            guard !responder.isGone else { self?.stopObserving(); return }
            responder.receive(event)
        }
        self.subscription = subscription
        source.attach(subscription)
    }

    public func stopObserving() {
        subscription?.cancel()
        subscription = nil
    }
}
