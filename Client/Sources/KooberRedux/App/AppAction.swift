/// What has happened.
///
/// No action carries a password, and a session's tokens stand in no description.
public enum AppAction: Equatable, Sendable {
    case launching(LaunchingAction)
    case onboarding(OnboardingAction)
    /// In the session with that number.
    case signedIn(scope: SerialNumber, SignedInAction)
    case persistence(PersistenceAction)
}
