import PouchData
import Synchronization

/// A value with subscribers. Each receives the current value first, then later ones; a slow subscriber skips to the
/// latest.
final class CurrentValue<Value: Sendable>: Sendable {
    private let current: Mutex<Value>
    private let subscribers = Subscribers<Value>(limit: 1)

    init(_ value: Value) {
        current = Mutex(value)
    }

    var value: Value { current.withLock { $0 } }

    func set(_ value: Value) {
        subscribers.send {
            current.withLock { $0 = value }
            return value
        }
    }

    /// - Returns: whether the value differed from the current one. Otherwise it is not sent.
    @discardableResult
    func replace(_ value: Value) -> Bool where Value: Equatable {
        subscribers.send {
            current.withLock { current in
                guard current != value else { return nil }
                current = value
                return value
            }
        }
    }

    var hasSubscribers: Bool { !subscribers.isEmpty }

    /// - Parameter onLastLeft: called when the last subscription ends, if it is this one.
    func values(onLastLeft: @escaping @Sendable () -> Void = {}) -> AsyncStream<Value> {
        subscribers.add(first: { [value] }, onLastLeft: onLastLeft)
    }
}

/// Events with subscribers. Each receives the events since its subscription; events without a subscriber wait for the
/// first one. Beyond the limit, the oldest are discarded.
///
/// An event that the user should see once goes only to the newest subscriber, because an app may have several scenes.
final class Broadcast<Element: Sendable>: Sendable {
    private let limit: Int
    private let waiting = Mutex<[Element]>([])
    private let subscribers: Subscribers<Element>

    init(limit: Int = 100) {
        self.limit = limit
        subscribers = Subscribers(limit: limit)
    }

    func send(_ element: Element, once: Bool = false) {
        subscribers.send(toLatest: once) {
            guard subscribers.isEmpty else { return element }
            waiting.withLock { waiting in
                if waiting.count == limit { waiting.removeFirst() }
                waiting.append(element)
            }
            return nil
        }
    }

    /// Discards the events that wait for the first subscriber.
    func dropWaiting() {
        waiting.withLock { $0 = [] }
    }

    func elements() -> AsyncStream<Element> {
        subscribers.add(first: {
            waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        })
    }
}

/// The streams of several subscribers. All receive the same elements in the same order.
final class Subscribers<Element: Sendable>: Sendable {
    private struct State {
        var nextId = 0
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    /// The maximum number of unread elements of a stream; beyond that, the oldest are discarded.
    private let limit: Int
    private let state = Mutex(State())
    /// Held while elements are sent, to keep their order. `state` cannot be used: a cancelled task ends its
    /// subscription while it holds a lock that `yield` waits for.
    private let sending = Mutex(())

    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        for continuation in state.withLock({ $0.continuations.values }) { continuation.finish() }
    }

    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// Makes a change and sends the element that it returns, if any. Changes are made one at a time.
    ///
    /// - Parameter toLatest: whether only the newest subscriber receives the element.
    /// - Returns: whether an element was sent.
    @discardableResult
    func send(toLatest: Bool = false, _ change: () -> Element?) -> Bool {
        sending.withLock { _ in
            guard let element = change() else { return false }
            let all = state.withLock { $0.continuations }
            let latest = toLatest ? all.keys.max() : nil
            for (id, continuation) in all where latest == nil || id == latest { continuation.yield(element) }
            return true
        }
    }

    /// - Parameters:
    ///   - first: the first elements of the new stream. No change is made at the same time.
    ///   - onLastLeft: called when the last subscription ends, if it is this one, possibly during a cancellation.
    func add(
        first: () -> [Element] = { [] }, onLastLeft: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let id = sending.withLock { _ in
            for element in first() { continuation.yield(element) }
            return state.withLock { state in
                state.nextId += 1
                state.continuations[state.nextId] = continuation
                return state.nextId
            }
        }
        continuation.onTermination = { [weak self] _ in
            if self?.remove(id) == true { onLastLeft() }
        }
        return stream
    }

    /// Whether it was the last subscription.
    private func remove(_ id: Int) -> Bool {
        state.withLock { $0.continuations.removeValue(forKey: id) != nil && $0.continuations.isEmpty }
    }
}

extension AsyncStream where Element: Sendable {
    /// The elements that a task yields. The task starts immediately, and is cancelled when the stream is no longer
    /// read.
    static func running(_ work: @escaping @Sendable (Continuation) async -> Void) -> AsyncStream {
        AsyncStream { elements in
            let task = Task {
                await work(elements)
                elements.finish()
            }
            elements.onTermination = { _ in task.cancel() }
        }
    }
}

extension Task where Success: Sendable, Failure == Never {
    /// The value of work that several callers wait for. The work continues for the other callers if the caller is
    /// cancelled.
    ///
    /// - Throws: `.cancelled`.
    var valueUnlessCancelled: Success {
        get async throws(DataError) {
            let (values, continuation) = AsyncStream.makeStream(of: Success.self)
            Task<Void, Never> {
                continuation.yield(await value)
                continuation.finish()
            }
            guard let value = await values.first(where: { _ in true }) else { throw DataError(.cancelled) }
            return value
        }
    }
}
