import KooberScreens

/// Tells any number of watchers what is shown, none twice in a row.
@MainActor
final class ScreenStreams {
    private struct Watcher {
        let continuation: AsyncStream<KooberScreen>.Continuation
        var last: KooberScreen?
    }

    private var watchers: [Int: Watcher] = [:]
    private var lastID = 0

    deinit {
        for watcher in watchers.values { watcher.continuation.finish() }
    }

    /// - Parameter screen: comes first.
    func stream(from screen: KooberScreen?) -> AsyncStream<KooberScreen> {
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

    func show(_ screen: KooberScreen) {
        for (id, watcher) in watchers where watcher.last != screen {
            watchers[id]?.last = screen
            watcher.continuation.yield(screen)
        }
    }
}
