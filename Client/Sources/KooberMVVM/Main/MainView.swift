import PouchEntities

/// What the app is about.
public enum MainView: Hashable, Sendable {
    case launching
    case onboarding
    case signedIn(UserSession)
}
