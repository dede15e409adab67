/// Tells a test that something a screen shows has changed, and knows the screens that were made.
@MainActor
final class Changes {
    private struct Wait {
        let isMet: () -> Bool
        let turn: CheckedContinuation<Void, any Error>
    }

    private struct Made {
        weak var screen: FakeScreen?
    }

    private var waits: [Int: Wait] = [:]
    private var lastId = 0
    private var made: [Made] = []

    func note() {
        for (id, wait) in waits where wait.isMet() {
            waits[id] = nil
            wait.turn.resume()
        }
    }

    /// - Throws: `CancellationError`, as when the test's time is up.
    func until(_ isMet: @escaping () -> Bool) async throws {
        guard !isMet() else { return }
        lastId += 1
        let id = lastId
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return turn.resume(throwing: CancellationError()) }
                waits[id] = Wait(isMet: isMet, turn: turn)
            }
        } onCancel: {
            Task { @MainActor in waits.removeValue(forKey: id)?.turn.resume(throwing: CancellationError()) }
        }
    }

    func noteMade(_ screen: FakeScreen) { made.append(Made(screen: screen)) }

    /// The screens that were made and are not gone.
    var living: [FakeScreen] { made.compactMap(\.screen) }
}
