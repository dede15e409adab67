import KooberKit

/// Every screen may have an error over it.
@MainActor
public protocol ErrorInteractionResponder: AnyObject {
    /// The user has read it.
    func finishedPresenting(_ error: ErrorMessage)
}
