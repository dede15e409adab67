import PouchEntities

/// What the app finds when it is launched.
public enum AuthenticationState: Equatable, Sendable {
    case notSignedIn
    case signedIn(UserSession, scope: SerialNumber)
}
