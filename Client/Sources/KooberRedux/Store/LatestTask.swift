/// Runs one piece of work at a time: it is cancelled by the next, and when its owner is gone.
///
/// The work must not hold the owner.
@MainActor
final class LatestTask {
    private var task: Task<Void, Never>?

    deinit {
        task?.cancel()
    }

    func run(_ work: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { await work() }
    }

    func cancel() {
        task?.cancel()
    }
}
