import KooberKit

/// Offers to sign in and to sign up.
@MainActor
protocol WelcomeUserInterface: AnyObject {
    var interactionResponder: (any WelcomeInteractionResponder)? { get set }
    func render(newState: WelcomeViewState)
}

struct WelcomeViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: OnboardingState) {
        error = state.errors.first
    }
}
