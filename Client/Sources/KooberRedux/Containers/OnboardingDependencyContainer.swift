import KooberKit
import KooberScreens

/// What lives while nobody is signed in. All of it is made at once, and held by the view.
@MainActor
final class OnboardingDependencyContainer {
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
                userInteractions: made(ReduxOnboardingUserInteractions(actionDispatcher: actionDispatcher)),
                signIn: made(
                    ReduxSignInUserInteractions(
                        submission: makeFormSubmission(), userSessionRepository: userSessionRepository)),
                signUp: made(
                    ReduxSignUpUserInteractions(
                        submission: makeFormSubmission(), userSessionRepository: userSessionRepository))))
    }

    private func makeFormSubmission() -> FormSubmission {
        made(FormSubmission(actionDispatcher: actionDispatcher, serialNumbers: serialNumbers))
    }
}
