/// The input of a controller: events from outside, delivered while it observes.
///
/// An observer does not observe until it is started. Only its controller holds it, so that it ends with the controller.
@MainActor
public protocol Observer: AnyObject {
    /// Does nothing if it observes already.
    func startObserving()
    /// Stops deliveries at once, until the next start.
    func stopObserving()
}

/// Delivers the events of a source to responders, through one subscription.
///
///     let observer = EventObserver(store.select { FormViewState($0) })
///     let controller = SignInController(userInterface: form, observer: observer, useCases: container)
///     observer.deliver(to: controller) { $0.received(viewState: $1) }
///
/// It holds the responders weakly, and stops once all are deallocated.
@MainActor
public final class EventObserver<Event>: Observer {
    @MainActor
    private struct Responder {
        weak var object: AnyObject?
        let receive: @MainActor (Event) -> Void
    }

    private let source: any EventSource<Event>
    private var responders: [Responder] = []
    private var subscription: Subscription<Event>?

    public init(_ source: some EventSource<Event>) {
        self.source = source
    }

    /// False also after the source has ended.
    public var isObserving: Bool { subscription?.isCancelled == false }

    /// Adds a responder, which gets the events after this call.
    public func deliver<Object: AnyObject>(
        to responder: Object, _ receive: @escaping @MainActor (Object, Event) -> Void
    ) {
        responders.append(
            Responder(object: responder) { [weak responder] event in
                if let responder { receive(responder, event) }
            })
    }

    /// Does nothing without responders.
    public func startObserving() {
        guard !isObserving, responders.contains(where: { $0.object != nil }) else { return }
        let subscription = Subscription<Event> { [weak self] in self?.received($0) }
        self.subscription = subscription
        source.attach(subscription)
    }

    public func stopObserving() {
        subscription?.cancel()
        subscription = nil
    }

    private func received(_ event: Event) {
        // Deallocation of a responder is not reported, so each event checks for it.
        responders.removeAll { $0.object == nil }
        guard !responders.isEmpty else { return stopObserving() }
        // A responder that stops the observer stops the delivery to the remaining ones, too.
        let subscription = subscription
        for responder in responders where self.subscription === subscription { responder.receive(event) }
    }
}

/// Several observers that start and stop together.
@MainActor
public final class ObserverComposition: Observer {
    private let observers: [any Observer]

    public init(observers: any Observer...) {
        self.observers = observers
    }

    public func startObserving() {
        for observer in observers { observer.startObserving() }
    }

    public func stopObserving() {
        for observer in observers { observer.stopObserving() }
    }
}
