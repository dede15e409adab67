import KooberKit

/// Goes on where nobody is signed in, or nobody is any more.
@MainActor
public protocol NotSignedInResponder: AnyObject {
    /// - Parameter errorMessage: what the user has to know of how that came about.
    func notSignedIn(_ errorMessage: ErrorMessage?)
}
