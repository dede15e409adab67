/// For how long an object is needed.
public enum ObjectScope: Sendable, Hashable, CaseIterable {
    case app
    /// Until it is known who is signed in.
    case launch
    /// While nobody is signed in.
    case onboarding
    case signedIn
    /// Within a session, until it is known where the user is.
    case gettingUserLocation
    /// From the user's location to the request of the ride.
    case pickMeUp
    /// From the request of the ride to the next one.
    case waitingForPickup
}
