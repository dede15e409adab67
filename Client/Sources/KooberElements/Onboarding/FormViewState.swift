import KooberKit

/// A form, filled in or sent.
public struct FormViewState: Sendable, Equatable {
    public let inputsEnabled: Bool
    public let buttonEnabled: Bool
    public let activityIndicatorAnimating: Bool
    public let error: ErrorMessage?

    public init(_ state: OnboardingState) {
        inputsEnabled = !state.isAuthenticating
        // With empty fields too: what is missing is said to who presses it.
        buttonEnabled = !state.isAuthenticating
        activityIndicatorAnimating = state.isAuthenticating
        error = state.errors.first
    }
}
