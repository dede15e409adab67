import ClientTesting
import Dispatch
import KooberElements
import KooberScreens
import Testing

/// The sources of events: broadcasters, state stores, and streams of the system.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct EventSourceTests {
    private let log = Received<String>()

    private func subscription<Event>(_ name: String, to source: some EventSource<Event>) -> AnyObject {
        source.subscribe { [weak log] in log?.append("\(name) \($0)") }
    }

    @Test func `a broadcast reaches all subscribers in their order, as long as they keep their subscription`() {
        let broadcaster = Broadcaster<Int>()
        var a: AnyObject? = subscription("a", to: broadcaster)
        let b = subscription("b", to: broadcaster)
        do { _ = subscription("c", to: broadcaster) }
        broadcaster.broadcast(1)
        a = nil
        broadcaster.broadcast(2)
        #expect(log.values == ["a 1", "b 1", "b 2"])
        withExtendedLifetime((a, b)) {}
    }

    @Test func `an event broadcast during another one follows it for all subscribers`() {
        let broadcaster = Broadcaster<Int>()
        let answering = broadcaster.subscribe { [log, broadcaster] in
            log.append("a \($0)")
            if $0 == 1 { broadcaster.broadcast(2) }
        }
        log.keep(subscription("b", to: broadcaster))
        broadcaster.broadcast(1)
        #expect(log.values == ["a 1", "b 1", "a 2", "b 2"])
        withExtendedLifetime(answering) {}
    }

    @Test func `a subscriber removed by the one before it gets nothing more`() {
        let broadcaster = Broadcaster<Int>()
        var removed: AnyObject?
        let removing = broadcaster.subscribe { [log] in
            log.append("a \($0)")
            removed = nil
        }
        removed = subscription("b", to: broadcaster)
        broadcaster.broadcast(1)
        #expect(log.values == ["a 1"] && removed == nil)
        withExtendedLifetime(removing) {}
    }

    @Test func `a subscriber that is added during an event gets the next one first`() {
        let broadcaster = Broadcaster<Int>()
        let adding = broadcaster.subscribe { [log] in
            log.append("a \($0)")
            if $0 == 1 { log.keep(subscription("b", to: broadcaster)) }
        }
        broadcaster.broadcast(1)
        broadcaster.broadcast(2)
        #expect(log.values == ["a 1", "a 2", "b 2"])
        withExtendedLifetime(adding) {}
    }

    @Test func `changes within one turn are one event, and an equal state is none`() {
        let updates = UpdateCycle()
        let store = StateStore([1])
        log.keep(subscription("a", to: StateSource(updates) { store.state }))
        store.update { $0.append(2) }
        store.update { $0.append(3) }
        updates.flush()
        store.update { $0.append(4) }
        store.update { $0.removeLast() }
        updates.flush()
        #expect(log.values == ["a [1]", "a [1, 2, 3]"])
    }

    @Test func `each subscription starts a stream of its own`() async throws {
        var begun = 0
        let source = StreamSource {
            begun += 1
            let number = begun
            return AsyncStream { $0.yield(number) }
        }
        #expect(begun == 0)
        log.keep(subscription("a", to: source))
        try await eventually { log.values == ["a 1"] }
        log.keep(subscription("b", to: source))
        try await eventually { log.values == ["a 1", "b 2"] }
    }

    @Test func `a stream ends with its subscription`() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        continuation.onTermination = { _ in end.finish() }
        var a: AnyObject? = subscription("a", to: StreamSource { stream })
        continuation.yield(1)
        try await eventually { log.values == ["a 1"] }
        a = nil
        continuation.yield(2)
        for await _ in ends {}
        await turnsPass()
        #expect(log.values == ["a 1"])
        #expect(a == nil)
    }

    @Test func `of states that come while the main actor is busy, only the latest is delivered`() async throws {
        let (stream, states) = AsyncStream<Int>.makeStream()
        let (read, passed) = (DispatchSemaphore(value: 0), Counter())
        let source = StreamSource {
            AsyncStream<Int> {
                // The state after the last one is asked for.
                if passed.value == 1_001 { read.signal() }
                passed.increment()
                return await stream.first { _ in true }
            }
        }
        log.keep(subscription("a", to: source))
        states.yield(0)
        try await eventually { log.values == ["a 0"] }
        for state in 1...1_000 { states.yield(state) }
        // The main actor is busy until the source knows all states.
        try #require(waits(for: read))
        try await eventually { log.values.count > 1 }
        await turnsPass()
        #expect(log.values == ["a 0", "a 1000"])
    }

    /// Blocks the main actor, as a long computation does.
    private func waits(for read: DispatchSemaphore) -> Bool { read.wait(timeout: .now() + 20) == .success }

    @Test func `the last state of a stream that ends is delivered`() async throws {
        let source = StreamSource {
            AsyncStream<Int> { continuation in
                for state in 1...3 { continuation.yield(state) }
                continuation.finish()
            }
        }
        log.keep(subscription("a", to: source))
        try await eventually { log.values.last == "a 3" }
    }
}
