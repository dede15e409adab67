import Synchronization

/// A text that a committed transaction sent to all who listen, or the note that some may have been lost.
public enum DatabaseNotification: Sendable, Equatable {
    case text(String)
    case gap
}

/// Passes notifications on to any number of listeners in this process.
public final class NotificationHub: Sendable {
    private let state = Mutex(State())

    private struct State {
        var listeners: [Int: AsyncStream<DatabaseNotification>.Continuation] = [:]
        var lastId = 0
        var isClosed = false
    }

    public init() {}

    /// The notifications from now on. Ends when the hub is closed.
    public func listen() -> AsyncStream<DatabaseNotification> {
        let (stream, listener) = AsyncStream.makeStream(of: DatabaseNotification.self)
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastId += 1
            state.listeners[state.lastId] = listener
            return state.lastId
        }
        guard let id else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) } }
        return stream
    }

    public func send(_ notifications: [DatabaseNotification]) {
        guard !notifications.isEmpty else { return }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { for notification in notifications { listener.yield(notification) } }
    }

    public func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
