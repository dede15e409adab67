import KooberKit

/// Of the welcome and its two forms, which share what they say.
public struct OnboardingState: PresentsErrors {
    /// From the welcome to a form and back.
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
