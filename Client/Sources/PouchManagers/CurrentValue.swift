import Synchronization

/// A value that any number of observers follow. Each first gets the value as it is, then every later one; an observer
/// that is slow skips to the latest.
final class CurrentValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextId = 0
        var observers: [Int: AsyncStream<Value>.Continuation] = [:]
        var onFollowChange: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    /// Held while a value is told, so that every observer sees the values in the order in which they were set. Not by
    /// `state`: an observer leaves while its task is being cancelled, under a lock for which `yield` waits.
    private let telling = Mutex(())

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Sets who is told when the first observer has come or the last one has gone; `isFollowed` says which it was.
    func onFollowChange(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.onFollowChange = handler }
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }

    var value: Value { state.withLock { $0.value } }

    func set(_ value: Value) {
        tell { old in
            old = value
            return true
        }
    }

    /// Sets a value unless it is there already.
    ///
    /// - Returns: whether it was another.
    @discardableResult
    func replace(_ value: Value) -> Bool where Value: Equatable {
        tell { old in
            guard old != value else { return false }
            old = value
            return true
        }
    }

    /// - Parameter change: whether there is something to tell.
    @discardableResult
    private func tell(_ change: (inout Value) -> Bool) -> Bool {
        telling.withLock { _ in
            let (value, observers, isNew) = state.withLock { state in
                let isNew = change(&state.value)
                return (state.value, isNew ? Array(state.observers.values) : [], isNew)
            }
            for observer in observers { observer.yield(value) }
            return isNew
        }
    }

    var isFollowed: Bool { state.withLock { !$0.observers.isEmpty } }

    func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let (id, isFirst) = telling.withLock { _ in
            state.withLock { state in
                state.nextId += 1
                state.observers[state.nextId] = continuation
                continuation.yield(state.value)
                return (state.nextId, state.observers.count == 1)
            }
        }
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        if isFirst { state.withLock { $0.onFollowChange }?() }
        return stream
    }

    private func leave(_ id: Int) {
        let isLast = state.withLock { state in
            state.observers.removeValue(forKey: id) != nil && state.observers.isEmpty
        }
        if isLast { state.withLock { $0.onFollowChange }?() }
    }
}
