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
    /// Held while news are told, so that every observer gets them in their order. Not by `state`: an observer leaves while
    /// its task is being cancelled, under a lock for which `yield` waits.
    private let telling = Mutex(())

    init(limit: Int = 100) {
        self.limit = limit
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }

    func tell(_ element: Element) {
        telling.withLock { _ in
            let observers = state.withLock { state in
                if state.observers.isEmpty {
                    if state.waiting.count == limit { state.waiting.removeFirst() }
                    state.waiting.append(element)
                }
                return Array(state.observers.values)
            }
            for observer in observers { observer.yield(element) }
        }
    }

    /// Forgets what waits for the first observer.
    func forget() {
        state.withLock { $0.waiting = [] }
    }

    func elements() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let id = telling.withLock { _ in
            state.withLock { state in
                state.nextId += 1
                state.observers[state.nextId] = continuation
                for element in state.waiting { continuation.yield(element) }
                state.waiting = []
                return state.nextId
            }
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }
}
