import KooberElements
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct EventObserverTests {
    private let source = CountingSource<Int>()
    private let responder = RecordingEventResponder<Int>()

    private func observer() -> EventObserver<Int> {
        let observer = EventObserver(source)
        observer.deliver(to: responder) { $0.received($1) }
        return observer
    }

    @Test func `it listens from its start to its stop, and again from the next start`() {
        let observer = observer()
        source.send(1)
        observer.startObserving()
        source.send(2)
        observer.stopObserving()
        source.send(3)
        observer.startObserving()
        source.send(4)
        #expect(responder.events == [2, 4])
    }

    @Test func `two starts are one, and so are two stops`() {
        let observer = observer()
        observer.startObserving()
        observer.startObserving()
        source.send(1)
        observer.stopObserving()
        observer.stopObserving()
        source.send(2)
        #expect(responder.events == [1])
        #expect(source.attachCount == 1)
    }

    @Test func `of a state it delivers the present one at each start`() {
        let store = StateStore(1)
        let observer = EventObserver(store)
        observer.deliver(to: responder) { $0.received($1) }
        observer.startObserving()
        observer.stopObserving()
        store.update { $0 = 2 }
        observer.startObserving()
        store.update { $0 = 3 }
        #expect(responder.events == [1, 2, 3])
    }

    @Test func `without a responder it does not listen, and may be started when it has one`() {
        let observer = EventObserver(source)
        observer.startObserving()
        #expect(!observer.isObserving)
        #expect(source.attachCount == 0)
        observer.deliver(to: responder) { $0.received($1) }
        observer.startObserving()
        source.send(1)
        #expect(responder.events == [1])
    }

    @Test func `it does not keep its responder alive, and stops when that is gone`() {
        let observer = EventObserver(source)
        weak var gone: RecordingEventResponder<Int>?
        do {
            let responder = RecordingEventResponder<Int>()
            gone = responder
            observer.deliver(to: responder) { $0.received($1) }
            observer.startObserving()
            source.send(1)
            #expect(responder.events == [1])
        }
        #expect(gone == nil)
        #expect(observer.isObserving)
        source.send(2)
        #expect(!observer.isObserving)
        observer.startObserving()
        #expect(!observer.isObserving)
        #expect(source.attachCount == 1)
    }

    @Test func `with the observer its subscription is gone`() {
        do {
            let observer = observer()
            observer.startObserving()
            source.send(1)
        }
        source.send(2)
        #expect(responder.events == [1])
    }

    @Test func `a responder that stops it while it is told the present state hears no more`() {
        let store = StateStore(1)
        let observer = EventObserver(store)
        observer.deliver(to: responder) { [unowned observer] in
            $0.received($1)
            observer.stopObserving()
        }
        observer.startObserving()
        store.update { $0 = 2 }
        #expect(responder.events == [1])
        #expect(!observer.isObserving)
    }

    @Test func `it does not listen any more when the source has told its last, and may be started again`() async throws
    {
        let ended = RecordingEventResponder<Bool>()
        let observer = EventObserver(StreamSource { AsyncStream<Int> { $0.finish() } })
        observer.deliver(to: ended) { [unowned observer] responder, _ in responder.received(observer.isObserving) }
        observer.startObserving()
        #expect(observer.isObserving)
        try await eventually { ended.events == [false] }
        observer.startObserving()
        #expect(observer.isObserving)
        try await eventually { ended.events == [false, false] }
    }

    // MARK: Composition

    @Test func `a composition starts and stops all, and completes what was started in part`() {
        let (first, second) = (CountingSource<Int>(), CountingSource<Int>())
        let (one, other) = (EventObserver(first), EventObserver(second))
        one.deliver(to: responder) { $0.received($1) }
        other.deliver(to: responder) { $0.received($1) }
        let composition: any Observer = ObserverComposition(observers: one, other)
        other.startObserving()
        composition.startObserving()
        first.send(1)
        second.send(2)
        #expect(responder.events == [1, 2])
        #expect(first.attachCount == 1 && second.attachCount == 1)
        composition.stopObserving()
        first.send(3)
        second.send(4)
        #expect(responder.events == [1, 2])
        composition.startObserving()
        first.send(5)
        second.send(6)
        #expect(responder.events == [1, 2, 5, 6])
    }

    // MARK: Multicast

    @Test func `a multicast has one subscription for all of its responders`() {
        let other = RecordingEventResponder<Int>()
        let observer = MulticastObserver(source)
        observer.add(responder) { $0.received($1) }
        observer.add(other) { $0.received(-$1) }
        observer.startObserving()
        observer.startObserving()
        source.send(1)
        observer.stopObserving()
        source.send(2)
        #expect(responder.events == [1])
        #expect(other.events == [-1])
        #expect(source.attachCount == 1)
    }

    @Test func `a multicast forgets who is gone, and stops with the last`() {
        let observer = MulticastObserver(source)
        var one: RecordingEventResponder<Int>? = RecordingEventResponder()
        var other: RecordingEventResponder<Int>? = RecordingEventResponder()
        weak let weakOne = one
        if let one, let other {
            observer.add(one) { $0.received($1) }
            observer.add(other) { $0.received($1) }
        }
        observer.startObserving()
        one = nil
        #expect(weakOne == nil)
        source.send(1)
        #expect(other?.events == [1])
        other = nil
        #expect(observer.isObserving)
        source.send(2)
        #expect(!observer.isObserving)
    }

    @Test func `who comes to a multicast later hears what happens from then on`() {
        let late = RecordingEventResponder<Int>()
        let observer = MulticastObserver(source)
        observer.add(responder) { [unowned observer] responder, event in
            responder.received(event)
            if event == 1 { observer.add(late) { $0.received($1) } }
        }
        observer.startObserving()
        source.send(1)
        source.send(2)
        #expect(responder.events == [1, 2])
        #expect(late.events == [2])
    }

    @Test func `a multicast tells all of its responders the last, too`() async throws {
        let log = RecordingEventResponder<String>()
        let observer = MulticastObserver(StreamSource { AsyncStream<Int> { $0.finish() } })
        observer.add(log) { responder, _ in responder.received("first") }
        observer.add(log) { responder, _ in responder.received("second") }
        observer.startObserving()
        try await eventually { log.events == ["first", "second"] }
        #expect(!observer.isObserving)
    }

    @Test func `a multicast that the first responder stops tells the second nothing`() {
        let second = RecordingEventResponder<Int>()
        let observer = MulticastObserver(source)
        observer.add(responder) { [unowned observer] in
            $0.received($1)
            observer.stopObserving()
        }
        observer.add(second) { $0.received($1) }
        observer.startObserving()
        source.send(1)
        #expect(responder.events == [1])
        #expect(second.events.isEmpty)
    }
}
