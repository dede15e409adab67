import KooberKit

public struct OnboardingState: PresentsErrors {
    public enum Screen: Sendable, Equatable {
        case welcome
        case signIn
        case signUp
    }

    public var screen = Screen.welcome
    /// Whether a form was sent, and not answered yet.
    public var isAuthenticating = false
    public var errors: [ErrorMessage]

    public init(errors: [ErrorMessage] = []) {
        self.errors = errors
    }
}
