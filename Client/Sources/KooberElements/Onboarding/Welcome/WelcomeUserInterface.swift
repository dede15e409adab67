import KooberKit

/// Offers to sign in and to sign up.
@MainActor
public protocol WelcomeUserInterface: AnyObject {
    func render(newState: WelcomeViewState)
}

public struct WelcomeViewState: Sendable, Equatable {
    public let error: ErrorMessage?

    init(_ state: OnboardingState) {
        error = state.errors.first
    }
}
