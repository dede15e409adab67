/// The input of a controller: events from outside, delivered while it observes.
///
/// An observer does not observe until it is started. Only its controller retains it, so it ends with the controller.
@MainActor
public protocol Observer: AnyObject {
    /// Does nothing if it already observes.
    func startObserving()
    /// Stops deliveries immediately, until the next start.
    func stopObserving()
}

/// Delivers the events of a source to responders.
///
///     let observer = EventObserver(StateSource(window.updates) { onboarding.state.screen })
///     let controller = OnboardingController(observer: observer, children: container)
///     observer.deliver(to: controller) { $0.received(newScreen: $1) }
///
/// A closure names the method that receives the events, instead of a protocol for each controller. The observers of the
/// system have such protocols, because any controller can use them.
///
/// It holds the responders weakly, and stops once all are deallocated.
@MainActor
public final class EventObserver<Event>: Observer {
    private struct Responder {
        weak var object: AnyObject?
        let receive: @MainActor (Event) -> Void
    }

    private let source: any EventSource<Event>
    private var responders: [Responder] = []
    private var subscription: AnyObject?
    /// Distinguishes the current observation from one that has stopped.
    private var observation = 0

    public init(_ source: some EventSource<Event>) {
        self.source = source
    }

    public private(set) var isObserving = false

    /// Adds a responder, which receives the events after this call.
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
        isObserving = true
        observation += 1
        let started = observation
        let subscription = source.subscribe { [weak self] in self?.received($0, in: started) }
        // The first event may have stopped the observation.
        if isObserving, observation == started { self.subscription = subscription }
    }

    public func stopObserving() {
        isObserving = false
        subscription = nil
    }

    private func received(_ event: Event, in started: Int) {
        // Deallocation of a responder is not reported, so each event checks for it.
        responders.removeAll { $0.object == nil }
        if responders.isEmpty { stopObserving() }
        // A responder that stops the observer also stops the delivery to the remaining ones.
        for responder in responders where isObserving && observation == started { responder.receive(event) }
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
