import KooberElements
import KooberKit
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

    @Test func `it observes from its start to its stop, and again from the next start`() {
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

    @Test func `a second start or stop does nothing`() {
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

    @Test func `each start delivers the present state`() {
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

    @Test func `it needs a responder to start`() {
        let observer = EventObserver(source)
        observer.startObserving()
        #expect(!observer.isObserving)
        #expect(source.attachCount == 0)
        observer.deliver(to: responder) { $0.received($1) }
        observer.startObserving()
        source.send(1)
        #expect(responder.events == [1])
    }

    @Test func `it holds its responder weakly, and stops when it is deallocated`() {
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

    @Test func `its subscription ends with it`() {
        do {
            let observer = observer()
            observer.startObserving()
            source.send(1)
        }
        source.send(2)
        #expect(responder.events == [1])
    }

    @Test func `a responder that stops it while receiving the present state gets nothing more`() {
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

    @Test func `it stops when the source ends, and can be started again`() async throws {
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

    @Test func `a composition starts and stops all observers, even after only some were started`() {
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

    @Test func `a multicast has one subscription for all responders`() {
        let other = RecordingEventResponder<Int>()
        let observer = EventObserver(source)
        observer.deliver(to: responder) { $0.received($1) }
        observer.deliver(to: other) { $0.received(-$1) }
        observer.startObserving()
        observer.startObserving()
        source.send(1)
        observer.stopObserving()
        source.send(2)
        #expect(responder.events == [1])
        #expect(other.events == [-1])
        #expect(source.attachCount == 1)
    }

    @Test func `a multicast drops deallocated responders, and stops with the last`() {
        let observer = EventObserver(source)
        var one: RecordingEventResponder<Int>? = RecordingEventResponder()
        var other: RecordingEventResponder<Int>? = RecordingEventResponder()
        weak let weakOne = one
        if let one, let other {
            observer.deliver(to: one) { $0.received($1) }
            observer.deliver(to: other) { $0.received($1) }
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

    @Test func `a responder added later gets later events`() {
        let late = RecordingEventResponder<Int>()
        let observer = EventObserver(source)
        observer.deliver(to: responder) { [unowned observer] responder, event in
            responder.received(event)
            if event == 1 { observer.deliver(to: late) { $0.received($1) } }
        }
        observer.startObserving()
        source.send(1)
        source.send(2)
        #expect(responder.events == [1, 2])
        #expect(late.events == [2])
    }

    @Test func `a multicast delivers the last event to all responders`() async throws {
        let log = RecordingEventResponder<String>()
        let observer = EventObserver(StreamSource { AsyncStream<Int> { $0.finish() } })
        observer.deliver(to: log) { responder, _ in responder.received("first") }
        observer.deliver(to: log) { responder, _ in responder.received("second") }
        observer.startObserving()
        try await eventually { log.events == ["first", "second"] }
        #expect(!observer.isObserving)
    }

    @Test func `a multicast stopped by the first responder delivers nothing to the second`() {
        let second = RecordingEventResponder<Int>()
        let observer = EventObserver(source)
        observer.deliver(to: responder) { [unowned observer] in
            $0.received($1)
            observer.stopObserving()
        }
        observer.deliver(to: second) { $0.received($1) }
        observer.startObserving()
        source.send(1)
        #expect(responder.events == [1])
        #expect(second.events.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct EventSourceTests {
    private let log = RecordingEventResponder<String>()

    private func subscription<Event>(_ name: String, to source: some EventSource<Event>) -> Subscription<Event> {
        let subscription = Subscription<Event> { [log] in log.received("\(name) \($0)") }
        source.attach(subscription)
        return subscription
    }

    // MARK: Broadcaster

    @Test func `a broadcast reaches all present subscribers`() {
        let broadcaster = Broadcaster<Int>()
        let (a, b) = (subscription("a", to: broadcaster), subscription("b", to: broadcaster))
        do { _ = subscription("c", to: broadcaster) }
        broadcaster.broadcast(1)
        a.cancel()
        broadcaster.broadcast(2)
        #expect(log.events == ["a 1", "b 1", "b 2"])
        b.cancel()
    }

    @Test func `an event broadcast during another one follows it for all subscribers`() {
        let broadcaster = Broadcaster<Int>()
        let answering = Subscription<Int> { [log, broadcaster] in
            log.received("a \($0)")
            if $0 == 1 { broadcaster.broadcast(2) }
        }
        broadcaster.attach(answering)
        let b = subscription("b", to: broadcaster)
        broadcaster.broadcast(1)
        #expect(log.events == ["a 1", "b 1", "a 2", "b 2"])
        b.cancel()
    }

    // MARK: StateStore

    @Test func `an equal state is not a change`() {
        let store = StateStore([1])
        let a = subscription("a", to: store)
        store.update { $0 = [1] }
        store.update {
            $0.append(2)
            $0.removeLast()
        }
        store.update { $0.append(2) }
        #expect(log.events == ["a [1]", "a [1, 2]"])
        a.cancel()
    }

    @Test func `a change during a change follows it, even for new subscribers`() {
        let store = StateStore(0)
        var late: Subscription<Int>?
        let changing = Subscription<Int> { [log, store] in
            log.received("a \($0)")
            guard $0 == 1 else { return }
            store.update { $0 = 2 }
            late = subscription("late", to: store)
        }
        store.attach(changing)
        store.update { $0 = 1 }
        #expect(log.events == ["a 0", "a 1", "late 1", "a 2", "late 2"])
        #expect(store.state == 2)
        late?.cancel()
    }

    @Test func `a selection is delivered only when it changes`() {
        let store = StateStore([1, 10])
        let a = subscription("a", to: store.select(\.[0]))
        store.update { $0[1] = 11 }
        store.update { $0[0] = 2 }
        store.update { $0[1] = 12 }
        #expect(log.events == ["a 1", "a 2"])
        a.cancel()
        store.update { $0[0] = 3 }
        #expect(log.events == ["a 1", "a 2"])
    }

    @Test func `an error that recurs after it was cleared is delivered again`() {
        let error = ErrorMessage(title: "No connection", message: "Try again later.")
        let store = StateStore<[ErrorMessage]>([error])
        let a = subscription("a", to: store.select { $0.first?.title ?? "none" })
        store.update { $0 = [] }
        store.update { $0 = [ErrorMessage(title: error.title, message: error.message)] }
        #expect(log.events == ["a No connection", "a none", "a No connection"])
        a.cancel()
    }

    @Test func `a store holds its subscribers and their selections weakly`() {
        let store = StateStore(0)
        weak var selection: Subscription<Int>?
        do {
            let a = subscription("a", to: store.select { $0 })
            selection = a
        }
        store.update { $0 = 1 }
        #expect(selection == nil)
        #expect(log.events == ["a 0"])
    }

    // MARK: StreamSource

    @Test func `each subscription starts a stream of its own, and gets it to its end`() async throws {
        var begun = 0
        let source = StreamSource {
            begun += 1
            return AsyncStream { continuation in
                continuation.yield(1)
                continuation.yield(2)
                continuation.finish()
            }
        }
        #expect(begun == 0)
        let a = subscription("a", to: source)
        try await eventually { log.events.count == 3 }
        #expect(log.events == ["a element(1)", "a element(2)", "a ended(nil)"])
        #expect(a.isCancelled)
        let b = subscription("b", to: source)
        try await eventually { log.events.count == 6 }
        #expect(begun == 2)
        b.cancel()
    }

    @Test func `the error that ends a stream is delivered`() async throws {
        let error = ErrorMessage(title: "No connection", message: "Try again later.")
        var ended: [ErrorMessage?] = []
        let subscription = Subscription<StreamSource<AsyncThrowingStream<Int, any Error>>.Event> {
            if case .ended(let error) = $0 { ended.append(error as? ErrorMessage) }
        }
        StreamSource { AsyncThrowingStream<Int, any Error> { $0.finish(throwing: error) } }.attach(subscription)
        try await eventually { !ended.isEmpty }
        #expect(ended == [error])
    }

    @Test(arguments: [true, false])
    func `a stream ends with its subscription`(_ isCancelled: Bool) async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        continuation.onTermination = { _ in end.finish() }
        var a: Subscription<StreamSource<AsyncStream<Int>>.Event>? = subscription("a", to: StreamSource { stream })
        continuation.yield(1)
        try await eventually { log.events.count == 1 }
        if isCancelled { a?.cancel() } else { a = nil }
        continuation.yield(2)
        for await _ in ends {}
        #expect(log.events == ["a element(1)"])
    }
}
