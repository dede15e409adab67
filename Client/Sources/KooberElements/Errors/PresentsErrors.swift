import KooberKit

/// A state with errors that are shown one at a time, in the order in which they came.
public protocol PresentsErrors: Equatable, Sendable {
    /// The first is shown.
    var errors: [ErrorMessage] { get set }
}
