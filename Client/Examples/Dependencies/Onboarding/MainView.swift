import PouchEntities

public enum MainView: Hashable, Sendable {
    case launching
    case onboarding
    case signedIn(UserSession)
}
