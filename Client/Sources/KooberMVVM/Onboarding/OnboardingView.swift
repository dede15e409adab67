/// Where somebody is who has not signed in.
public enum OnboardingView: Hashable, Sendable {
    case welcome
    case signIn
    case signUp
}
