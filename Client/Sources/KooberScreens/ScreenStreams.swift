/// Tells any number of watchers what is shown, none twice in a row.
@MainActor
public final class ScreenStreams {
    private struct Watcher {
        let continuation: AsyncStream<KooberScreen>.Continuation
        var last: KooberScreen?
    }

    private var watchers: [Int: Watcher] = [:]
    private var lastID = 0

    public init() {}

    deinit {
        for watcher in watchers.values { watcher.continuation.finish() }
    }

    /// Ends with this object.
    /// - Parameter screen: comes first.
    public func stream(from screen: KooberScreen?) -> AsyncStream<KooberScreen> {
        let (stream, continuation) = AsyncStream.makeStream(of: KooberScreen.self)
        lastID += 1
        let id = lastID
        watchers[id] = Watcher(continuation: continuation, last: screen)
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.watchers[id] = nil }
        }
        if let screen { continuation.yield(screen) }
        return stream
    }

    public func show(_ screen: KooberScreen) {
        for (id, watcher) in watchers where watcher.last != screen {
            watchers[id]?.last = screen
            watcher.continuation.yield(screen)
        }
    }
}
