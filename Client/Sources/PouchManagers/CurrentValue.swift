import Synchronization

/// A value that any number of observers follow. Each first gets the value as it is, then every later one; an observer
/// that is slow skips to the latest.
final class CurrentValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var onFollowChange: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let observers = Observers<Value>(limit: 1)

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Sets who is told when the first observer has come or the last one has gone; `isFollowed` says which it was.
    func onFollowChange(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.onFollowChange = handler }
    }

    var value: Value { state.withLock { $0.value } }

    func set(_ value: Value) {
        observers.tell {
            state.withLock { $0.value = value }
            return value
        }
    }

    /// Sets a value unless it is there already.
    ///
    /// - Returns: whether it was another.
    @discardableResult
    func replace(_ value: Value) -> Bool where Value: Equatable {
        observers.tell {
            state.withLock { state in
                guard state.value != value else { return nil }
                state.value = value
                return value
            }
        }
    }

    var isFollowed: Bool { !observers.isEmpty }

    func values() -> AsyncStream<Value> {
        let (values, isFirst) = observers.join(
            first: { [value] }, lastLeft: { [weak self] in self?.tellFollowChange() })
        if isFirst { tellFollowChange() }
        return values
    }

    private func tellFollowChange() {
        state.withLock { $0.onFollowChange }?()
    }
}
