import KooberKit
import PouchEntities

/// Which part of the app is to be seen.
public enum MainState: Sendable, Equatable {
    case launching
    /// With an error that came from what went before.
    case onboarding(ErrorMessage?)
    case signedIn(UserSession)
}
