import KooberKit

/// What lives while nobody is signed in. The onboarding view holds it, since it has each form's interactions made.
@MainActor
final class OnboardingDependencyContainer: FormUserInteractionsFactory {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let userSessionRepository: any UserSessionRepository
    private let serialNumbers: SerialNumbers

    init(parent: AppDependencyContainer) {
        actionDispatcher = parent.store.scoped { .onboarding($0) }
        userSessionRepository = parent.userSessionRepository
        serialNumbers = parent.serialNumbers
    }

    func makeOnboardingView() -> any StateView {
        OnboardingView(
            userInteractions: OnboardingUserInteractions(actionDispatcher: actionDispatcher),
            formFactory: self)
    }

    func makeSignInUserInteractions() -> SignInUserInteractions {
        SignInUserInteractions(submission: makeFormSubmission(), userSessionRepository: userSessionRepository)
    }

    func makeSignUpUserInteractions() -> SignUpUserInteractions {
        SignUpUserInteractions(submission: makeFormSubmission(), userSessionRepository: userSessionRepository)
    }

    private func makeFormSubmission() -> FormSubmission {
        FormSubmission(actionDispatcher: actionDispatcher, serialNumbers: serialNumbers)
    }
}
