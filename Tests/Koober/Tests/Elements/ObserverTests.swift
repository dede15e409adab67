import KooberElements
import KooberScreens
import Testing

/// The rules of observers, which each controller relies on.
@MainActor struct EventObserverTests {
    private let source = CountingSource<Int>()
    private let responder = Received<Int>()
    private let observer: EventObserver<Int>

    init() { observer = EventObserver(source) }

    private func deliver() { observer.deliver(to: responder) { $0.append($1) } }

    @Test func `it observes from its start to its stop, and again from the next start`() {
        deliver()
        source.send(1)
        observer.startObserving()
        source.send(2)
        observer.stopObserving()
        source.send(3)
        observer.startObserving()
        source.send(4)
        #expect(responder.values == [2, 4])
    }

    @Test func `a second start or stop does nothing`() {
        deliver()
        observer.startObserving()
        observer.startObserving()
        source.send(1)
        observer.stopObserving()
        observer.stopObserving()
        source.send(2)
        #expect(responder.values == [1])
        #expect(source.subscriptions == 1)
    }

    @Test func `each start delivers the present state`() {
        let updates = UpdateCycle()
        let store = StateStore(1)
        let observer = EventObserver(StateSource(updates) { store.state })
        observer.deliver(to: responder) { $0.append($1) }
        observer.startObserving()
        observer.stopObserving()
        store.update { $0 = 2 }
        updates.flush()
        observer.startObserving()
        store.update { $0 = 3 }
        updates.flush()
        #expect(responder.values == [1, 2, 3])
    }

    @Test func `it needs a responder to start`() {
        observer.startObserving()
        #expect(!observer.isObserving && source.subscriptions == 0)
        deliver()
        observer.startObserving()
        source.send(1)
        #expect(responder.values == [1])
    }

    @Test func `it holds its responder weakly, and stops when it is deallocated`() {
        weak var gone: Received<Int>?
        do {
            let responder = Received<Int>()
            gone = responder
            observer.deliver(to: responder) { $0.append($1) }
            observer.startObserving()
            source.send(1)
            #expect(responder.values == [1])
        }
        #expect(gone == nil)
        source.send(2)
        #expect(!observer.isObserving)
        observer.startObserving()
        #expect(!observer.isObserving && source.subscriptions == 1)
    }

    @Test func `its subscription ends with it`() {
        do {
            let observer = EventObserver(source)
            observer.deliver(to: responder) { $0.append($1) }
            observer.startObserving()
            source.send(1)
        }
        source.send(2)
        #expect(responder.values == [1])
    }

    @Test func `a responder that stops it while receiving the present state ends the subscription`() {
        let source = CountingSource(present: 1)
        let observer = EventObserver(source)
        observer.deliver(to: responder) { [unowned observer] in
            $0.append($1)
            observer.stopObserving()
        }
        observer.startObserving()
        source.send(2)
        #expect(responder.values == [1])
        #expect(!observer.isObserving && !source.hasSubscription)
    }

    @Test func `a responder that restarts it while receiving gets each later event once`() {
        observer.deliver(to: responder) { [unowned observer] in
            $0.append($1)
            guard $1 == 1 else { return }
            observer.stopObserving()
            observer.startObserving()
        }
        observer.startObserving()
        source.send(1, 2)
        #expect(responder.values == [1, 2])
    }

    @Test func `several responders share one subscription`() {
        let other = Received<Int>()
        deliver()
        observer.deliver(to: other) { $0.append(-$1) }
        observer.startObserving()
        source.send(1)
        observer.stopObserving()
        source.send(2)
        #expect(responder.values == [1])
        #expect(other.values == [-1])
        #expect(source.subscriptions == 1)
    }

    @Test func `it drops deallocated responders, and stops with the last`() {
        var first: Received<Int>? = Received()
        var last: Received<Int>? = Received()
        if let first, let last {
            observer.deliver(to: first) { $0.append($1) }
            observer.deliver(to: last) { $0.append($1) }
        }
        observer.startObserving()
        first = nil
        source.send(1)
        #expect(last?.values == [1])
        #expect(observer.isObserving)
        last = nil
        source.send(2)
        #expect(!observer.isObserving && first == nil)
    }

    @Test func `a responder added later gets later events`() {
        let late = Received<Int>()
        observer.deliver(to: responder) { [unowned observer] responder, event in
            responder.append(event)
            if event == 1 { observer.deliver(to: late) { $0.append($1) } }
        }
        observer.startObserving()
        source.send(1, 2)
        #expect(responder.values == [1, 2])
        #expect(late.values == [2])
    }

    @Test(arguments: [true, false])
    func `once a responder stops or restarts it, the others no longer get the event`(_ restarts: Bool) {
        let second = Received<Int>()
        observer.deliver(to: responder) { [unowned observer] in
            $0.append($1)
            observer.stopObserving()
            if restarts { observer.startObserving() }
        }
        observer.deliver(to: second) { $0.append($1) }
        observer.startObserving()
        source.send(1)
        #expect(responder.values == [1])
        #expect(second.values.isEmpty && observer.isObserving == restarts)
    }

    @Test func `a composition starts and stops all observers, even after only some were started`() {
        let (first, second) = (CountingSource<Int>(), CountingSource<Int>())
        let (one, other) = (EventObserver(first), EventObserver(second))
        one.deliver(to: responder) { $0.append($1) }
        other.deliver(to: responder) { $0.append($1) }
        let composition: any Observer = ObserverComposition(observers: one, other)
        other.startObserving()
        composition.startObserving()
        first.send(1)
        second.send(2)
        #expect(responder.values == [1, 2])
        #expect(first.subscriptions == 1 && second.subscriptions == 1)
        composition.stopObserving()
        first.send(3)
        second.send(4)
        #expect(responder.values == [1, 2])
        composition.startObserving()
        first.send(5)
        second.send(6)
        #expect(responder.values == [1, 2, 5, 6])
    }
}

extension Received {
    /// Receives the events of the source.
    convenience init(_ source: some EventSource<Value>) {
        self.init()
        keep(source.subscribe { [weak self] in self?.append($0) })
    }
}

/// A source that counts its subscriptions.
@MainActor final class CountingSource<Event>: EventSource {
    private(set) var subscriptions = 0
    private let present: Event?
    private let broadcaster = Broadcaster<Event>()
    private weak var latest: AnyObject?

    /// - Parameter present: delivered at once to each subscriber; nil for a source of events without a state.
    init(present: Event? = nil) { self.present = present }

    /// Whether the latest subscription lasts.
    var hasSubscription: Bool { latest != nil }

    func subscribe(_ receive: @escaping @MainActor (Event) -> Void) -> AnyObject {
        subscriptions += 1
        let subscription = broadcaster.subscribe(receive)
        latest = subscription
        if let present { receive(present) }
        return subscription
    }

    func send(_ events: Event...) { for event in events { broadcaster.broadcast(event) } }
}
