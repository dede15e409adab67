import KooberKit
import Observation

/// What went wrong with a view model's work, until each was acknowledged.
@MainActor
@Observable
public final class ErrorMessages {
    /// The oldest first.
    public private(set) var pending: [PendingError] = []

    func present(_ message: ErrorMessage, whenAcknowledged: @escaping @MainActor () -> Void = {}) {
        pending.append(PendingError(message, whenAcknowledged: whenAcknowledged))
    }

    /// The error was read: what waits for that goes on. Does nothing the second time.
    public func acknowledge(_ error: PendingError) {
        guard let index = pending.firstIndex(where: { $0 === error }) else { return }
        pending.remove(at: index)
        error.whenAcknowledged()
    }
}
