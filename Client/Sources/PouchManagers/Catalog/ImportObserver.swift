import Synchronization

/// Who is told that the catalogue was imported; set once that somebody exists.
final class ImportObserver: Sendable {
    private let handler = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func tell() {
        handler.withLock { $0 }?()
    }
}
