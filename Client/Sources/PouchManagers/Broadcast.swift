import Synchronization

/// News for any number of observers. Each gets what is told from when it began to listen; what was told while nobody
/// listened waits for the first. The oldest go when there are more than the limit.
final class Broadcast<Element: Sendable>: Sendable {
    private let limit: Int
    private let waiting = Mutex<[Element]>([])
    private let observers: Observers<Element>

    init(limit: Int = 100) {
        self.limit = limit
        observers = Observers(limit: limit)
    }

    func tell(_ element: Element) {
        observers.tell {
            guard observers.isEmpty else { return element }
            waiting.withLock { waiting in
                if waiting.count == limit { waiting.removeFirst() }
                waiting.append(element)
            }
            return nil
        }
    }

    /// Forgets what waits for the first observer.
    func forget() {
        waiting.withLock { $0 = [] }
    }

    func elements() -> AsyncStream<Element> {
        observers.join {
            waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        }.elements
    }
}
