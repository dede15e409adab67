/// Runs an action after a pause. Waiting again starts the pause again, and replaces the action.
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
