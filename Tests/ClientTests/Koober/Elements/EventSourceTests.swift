import KooberElements
import KooberKit
import Testing

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

    @Test func `a broadcast reaches all who listen, and nobody else`() {
        let broadcaster = Broadcaster<Int>()
        let (a, b) = (subscription("a", to: broadcaster), subscription("b", to: broadcaster))
        do { _ = subscription("c", to: broadcaster) }
        broadcaster.broadcast(1)
        a.cancel()
        broadcaster.broadcast(2)
        #expect(log.events == ["a 1", "b 1", "b 2"])
        b.cancel()
    }

    @Test func `what is broadcast while something else is told comes after it for everybody`() {
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

    @Test func `an equal state is no change`() {
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

    @Test func `a change within a change is told after it, also to who begins to listen then`() {
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

    @Test func `a selection is told of when it changes, whatever else does`() {
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

    @Test func `an error that is cleared and comes again is told again`() {
        let error = ErrorMessage(title: "No connection", message: "Try again later.")
        let store = StateStore<[ErrorMessage]>([error])
        let a = subscription("a", to: store.select { $0.first?.title ?? "none" })
        store.update { $0 = [] }
        store.update { $0 = [ErrorMessage(title: error.title, message: error.message)] }
        #expect(log.events == ["a No connection", "a none", "a No connection"])
        a.cancel()
    }

    @Test func `a store keeps nobody alive who listens, nor what they select`() {
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

    @Test func `a stream is begun for each subscription, and told to its end`() async throws {
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

    @Test func `the error that ends a stream is told`() async throws {
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
    func `a stream ends when nobody listens any more`(_ isCancelled: Bool) async throws {
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
