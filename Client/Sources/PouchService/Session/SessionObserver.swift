import Synchronization

/// Who is told that the session has ended; may be set at any time.
final class SessionObserver: Sendable {
    private let handler = Mutex<(@Sendable () async -> Void)?>(nil)

    func set(_ handler: @escaping @Sendable () async -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func tell() async {
        await handler.withLock { $0 }?()
    }
}
