import Synchronization

/// News for any number of observers. Each gets what is told from when it began to listen; what was told while nobody
/// listened waits for the first. The oldest go when there are more than the limit.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextId = 0
        var observers: [Int: AsyncStream<Element>.Continuation] = [:]
        var waiting: [Element] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 100) {
        self.limit = limit
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }

    func tell(_ element: Element) {
        state.withLock { state in
            guard state.observers.isEmpty else {
                for observer in state.observers.values { observer.yield(element) }
                return
            }
            if state.waiting.count == limit { state.waiting.removeFirst() }
            state.waiting.append(element)
        }
    }

    /// Forgets what waits for the first observer.
    func forget() {
        state.withLock { $0.waiting = [] }
    }

    func elements() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let id = state.withLock { state in
            state.nextId += 1
            state.observers[state.nextId] = continuation
            for element in state.waiting { continuation.yield(element) }
            state.waiting = []
            return state.nextId
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }
}
