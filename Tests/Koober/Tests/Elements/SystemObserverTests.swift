import ClientTesting
import Dispatch
import KooberElements
import KooberKit
import KooberScreens
import Testing

/// The observers of the system. Any object can use them; those here know nothing of a screen.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SystemObserverTests {
    private let responder = SystemLog()

    @Test func `it reports the connection at its start, and after each change until its stop`() async throws {
        let connection = Connection()
        let observer = ConnectivityObserver(connection)
        observer.deliver(to: responder)
        #expect(connection.streams.value == 0)
        observer.startObserving()
        try await eventually { responder.events == [.isOnline(true)] }
        connection.continuation.yield(false)
        try await eventually { responder.events == [.isOnline(true), .isOnline(false)] }
        observer.stopObserving()
        connection.continuation.yield(true)
        await turnsPass()
        #expect(responder.events == [.isOnline(true), .isOnline(false)])
    }

    @Test func `several objects share one observer, and one object several observers`() async throws {
        let other = SystemLog()
        let connection = Connection()
        let connectivity = ConnectivityObserver(connection)
        let size = WindowSizeObserver { AsyncStream { $0.yield(.columns(80)) } }
        connectivity.deliver(to: responder)
        connectivity.deliver(to: other)
        size.deliver(to: responder)
        connectivity.startObserving()
        try await eventually { other.events == [.isOnline(true)] }
        // The two start and stop apart from each other.
        #expect(responder.events == [.isOnline(true)])
        size.startObserving()
        try await eventually { responder.events == [.isOnline(true), .size(.columns(80))] }
        connectivity.stopObserving()
        #expect(connection.streams.value == 1)
        #expect(other.events == [.isOnline(true)])
    }

    @Test func `each start reports the present size again`() async throws {
        let starts = Counter()
        let observer = WindowSizeObserver { AsyncStream { $0.yield(.columns(starts.increment())) } }
        observer.deliver(to: responder)
        for start in 1...2 {
            observer.startObserving()
            try await eventually { responder.events.last == .size(.columns(start)) }
            observer.stopObserving()
        }
        #expect(responder.events == [.size(.columns(1)), .size(.columns(2))])
    }

    @Test func `of a thousand sizes that come while the main actor is busy, only the latest is reported`() async throws
    {
        let (sizes, window) = AsyncStream<WindowSize>.makeStream()
        let read = DispatchSemaphore(value: 0)
        let observer = WindowSizeObserver { Self.reporting(sizes, lastOf: 1_000, to: read) }
        observer.deliver(to: responder)
        observer.startObserving()
        window.yield(.columns(0))
        try await eventually { responder.events == [.size(.columns(0))] }
        for columns in 1...1_000 { window.yield(.columns(columns)) }
        // The main actor is busy until the observer knows all sizes.
        try #require(waits(for: read))
        try await eventually { responder.events.count > 1 }
        await turnsPass()
        #expect(responder.events == [.size(.columns(0)), .size(.columns(1_000))])
    }

    /// Signals once the size after the last one is asked for.
    private static func reporting(
        _ sizes: AsyncStream<WindowSize>, lastOf last: Int, to read: DispatchSemaphore
    ) -> AsyncStream<WindowSize> {
        let passed = Counter()
        return AsyncStream {
            if passed.value == last + 1 { read.signal() }
            passed.increment()
            return await sizes.first { _ in true }
        }
    }

    /// Blocks the main actor, as a long computation does.
    private func waits(for read: DispatchSemaphore) -> Bool { read.wait(timeout: .now() + 20) == .success }
}

@MainActor private final class SystemLog: ConnectivityEventResponder, WindowSizeEventResponder {
    enum Event: Equatable {
        case isOnline(Bool)
        case size(WindowSize)
    }

    private(set) var events: [Event] = []

    func connectivityDidChange(isOnline: Bool) { events.append(.isOnline(isOnline)) }
    func windowDidResize(to size: WindowSize) { events.append(.size(size)) }
}

/// A connection that is there at first.
private final class Connection: ConnectivitySource {
    let streams = Counter()
    let continuation: AsyncStream<Bool>.Continuation
    private let stream: AsyncStream<Bool>

    init() {
        (stream, continuation) = AsyncStream.makeStream()
        continuation.yield(true)
    }

    func connectivity() -> AsyncStream<Bool> {
        streams.increment()
        return stream
    }
}

extension WindowSize {
    fileprivate static func columns(_ columns: Int) -> WindowSize { WindowSize(columns: columns, rows: 24) }
}
