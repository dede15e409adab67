import Synchronization

/// Who is told which session has ended; may be set at any time.
final class SessionObserver: Sendable {
    private let handler = Mutex<(@Sendable (_ id: String) async -> Void)?>(nil)

    func set(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func tell(_ id: String) async {
        await handler.withLock { $0 }?(id)
    }
}
