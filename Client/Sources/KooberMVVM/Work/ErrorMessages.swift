import KooberKit
import Observation

/// The errors of one view model that the user has not acknowledged.
@MainActor
@Observable
public final class ErrorMessages {
    /// The oldest first.
    public private(set) var pending: [PendingError] = []

    func present(_ message: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void = {}) {
        pending.append(PendingError(message, whenAcknowledged: whenAcknowledged))
    }

    /// Removes the error and continues the work that waits for it. Does nothing the second time.
    public func acknowledge(_ error: PendingError) {
        guard let index = pending.firstIndex(where: { $0 === error }) else { return }
        pending.remove(at: index)
        error.whenAcknowledged()
    }
}

/// One occurrence of a message. The same message presented twice is shown twice.
@MainActor
public final class PendingError {
    public let message: ErrorMessage
    let whenAcknowledged: @MainActor () -> Void

    init(_ message: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void) {
        self.message = message
        self.whenAcknowledged = whenAcknowledged
    }
}
