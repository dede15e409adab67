import KooberKit

/// Goes on where there is no ride after all.
@MainActor
public protocol NewRideRequestFailedResponder: AnyObject {
    /// Does nothing where no request is being sent.
    func newRideRequestFailed(_ errorMessage: ErrorMessage)
}
