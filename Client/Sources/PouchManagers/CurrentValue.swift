import Synchronization

/// A value that any number of observers follow. Each first gets the value as it is, then every later one; an observer
/// that is slow skips to the latest.
final class CurrentValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextId = 0
        var observers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>
    private let onFollowChange: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Sets who is told when the first observer has come or the last one has gone; `isFollowed` says which it was.
    func onFollowChange(_ handler: @escaping @Sendable () -> Void) {
        onFollowChange.withLock { $0 = handler }
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }

    var value: Value { state.withLock { $0.value } }

    func set(_ value: Value) {
        // Within the lock, so that every observer sees the values in the order in which they were set.
        state.withLock { state in
            state.value = value
            for observer in state.observers.values { observer.yield(value) }
        }
    }

    /// Sets a value unless it is there already.
    ///
    /// - Returns: whether it was another.
    @discardableResult
    func replace(_ value: Value) -> Bool where Value: Equatable {
        state.withLock { state in
            guard state.value != value else { return false }
            state.value = value
            for observer in state.observers.values { observer.yield(value) }
            return true
        }
    }

    var isFollowed: Bool { state.withLock { !$0.observers.isEmpty } }

    func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let (id, isFirst) = state.withLock { state in
            state.nextId += 1
            state.observers[state.nextId] = continuation
            continuation.yield(state.value)
            return (state.nextId, state.observers.count == 1)
        }
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        if isFirst { onFollowChange.withLock { $0 }?() }
        return stream
    }

    private func leave(_ id: Int) {
        let isLast = state.withLock { state in
            state.observers.removeValue(forKey: id) != nil && state.observers.isEmpty
        }
        if isLast { onFollowChange.withLock { $0 }?() }
    }
}
