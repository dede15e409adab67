import KooberKit

/// A message that is to be shown once; the same message that comes again is another one.
@MainActor
public final class PendingError {
    public let message: ErrorMessage
    let whenAcknowledged: @MainActor () -> Void

    init(_ message: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void) {
        self.message = message
        self.whenAcknowledged = whenAcknowledged
    }
}
