import Synchronization

/// Who is told which session has ended; may be set at any time.
final class SessionObserver: Sendable {
    /// In a structure, since a bare closure gets one more wrapping each time that it is read from a Mutex.
    private struct Handler: Sendable {
        let call: @Sendable (_ id: String) async -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    func set(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        self.handler.withLock { $0 = Handler(call: handler) }
    }

    func tell(_ id: String) async {
        await handler.withLock { $0 }?.call(id)
    }
}
