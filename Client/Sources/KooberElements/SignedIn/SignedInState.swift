import KooberKit
import PouchEntities

/// Of one session, but for what its screens have to themselves.
public struct SignedInState: PresentsErrors {
    /// What a session goes through, again with each ride.
    public enum Screen: Sendable, Equatable {
        case gettingUserLocation
        case pickMeUp(pickupLocation: GeoPoint)
        /// With the ride as it was when it was asked for, or found.
        case waitingForPickup(Ride)
    }

    /// Lies over the screen, which goes on beneath.
    public enum Profile: Sendable, Equatable {
        case closed
        case open
        case signingOut
    }

    public var screen = Screen.gettingUserLocation
    public var profile = Profile.closed
    /// Those of finding the user; what comes after has its own.
    public var errors: [ErrorMessage] = []

    public init() {}
}
