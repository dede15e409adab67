import KooberKit

/// What is to be decided next.
public enum PickMeUpView: Hashable, Sendable {
    case initial
    case selectDropoffLocation
    case selectRideOption
    /// The same picker with one option selected.
    case confirmRequest
    case sendingRideRequest(NewRideRequest)
}
