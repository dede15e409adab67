/// Searches for what somebody types: with each pause, so that a slow server is not asked about every letter.
@MainActor
final class TypedSearch {
    static let pause = Duration.milliseconds(300)

    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    deinit {
        waiting?.cancel()
    }

    /// Another letter was typed.
    func wait(_ search: @escaping @MainActor () -> Void) {
        cancel()
        waiting = Task { [clock] in
            guard (try? await clock.sleep(for: Self.pause)) != nil, !Task.isCancelled else { return }
            search()
        }
    }

    func cancel() {
        waiting?.cancel()
        waiting = nil
    }
}
