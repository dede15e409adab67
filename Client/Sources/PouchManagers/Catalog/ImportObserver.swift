import Synchronization

/// Who is told that the catalogue was imported; set once that somebody exists.
final class ImportObserver: Sendable {
    /// In a structure, since a bare closure gets one more wrapping each time that it is read from a Mutex.
    private struct Handler: Sendable {
        let call: @Sendable () -> Void
    }

    private let handler = Mutex<Handler?>(nil)

    func set(_ handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = Handler(call: handler) }
    }

    func tell() {
        handler.withLock { $0 }?.call()
    }
}
