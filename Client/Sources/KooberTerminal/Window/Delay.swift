/// Does something once a while has passed in which nothing else was waited for.
@MainActor
final class Delay {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?

    init(_ duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        waiting?.cancel()
    }

    /// What was waited for before is not done any more.
    func wait(_ action: @escaping @MainActor () -> Void) {
        cancel()
        waiting = Task { [duration, clock] in
            guard (try? await clock.sleep(for: duration)) != nil, !Task.isCancelled else { return }
            action()
        }
    }

    func cancel() {
        waiting?.cancel()
        waiting = nil
    }
}
