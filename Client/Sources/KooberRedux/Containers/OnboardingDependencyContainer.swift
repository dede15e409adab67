import KooberKit
import KooberScreens

/// What lives while nobody is signed in. The onboarding view holds it, since it has each form's interactions made.
@MainActor
final class OnboardingDependencyContainer: FormUserInteractionsFactory {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let userSessionRepository: any UserSessionRepository
    private let serialNumbers: SerialNumbers
    private let made: ObjectRegister

    init(parent: AppDependencyContainer) {
        actionDispatcher = parent.store.scoped { .onboarding($0) }
        userSessionRepository = parent.userSessionRepository
        serialNumbers = parent.serialNumbers
        made = ObjectRegister(scope: .onboarding, lifetimes: parent.lifetimes)
        made(self)
    }

    func makeOnboardingView() -> any StateView {
        made(
            OnboardingView(
                userInteractions: made(OnboardingUserInteractions(actionDispatcher: actionDispatcher)),
                formFactory: self))
    }

    func makeSignInUserInteractions() -> SignInUserInteractions {
        made(SignInUserInteractions(submission: makeFormSubmission(), userSessionRepository: userSessionRepository))
    }

    func makeSignUpUserInteractions() -> SignUpUserInteractions {
        made(SignUpUserInteractions(submission: makeFormSubmission(), userSessionRepository: userSessionRepository))
    }

    private func makeFormSubmission() -> FormSubmission {
        made(FormSubmission(actionDispatcher: actionDispatcher, serialNumbers: serialNumbers))
    }
}
