import KooberKit

/// Owns the objects that live while the user is signed out. The onboarding view keeps it as the factory of each form's
/// interactions.
@MainActor
final class OnboardingDependencyContainer: FormUserInteractionsFactory {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let userSessionRepository: any UserSessionRepository

    init(parent: AppDependencyContainer) {
        actionDispatcher = parent.store.scoped { .onboarding($0) }
        userSessionRepository = parent.userSessionRepository
    }

    func makeOnboardingView() -> any StateView {
        OnboardingView(
            userInteractions: OnboardingUserInteractions(actionDispatcher: actionDispatcher), formFactory: self)
    }

    func makeSignInUserInteractions() -> SignInUserInteractions {
        SignInUserInteractions(
            submission: FormSubmission(actionDispatcher: actionDispatcher),
            userSessionRepository: userSessionRepository)
    }

    func makeSignUpUserInteractions() -> SignUpUserInteractions {
        SignUpUserInteractions(
            submission: FormSubmission(actionDispatcher: actionDispatcher),
            userSessionRepository: userSessionRepository)
    }
}
