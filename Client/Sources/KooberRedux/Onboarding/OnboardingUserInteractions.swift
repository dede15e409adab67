@MainActor
protocol OnboardingUserInteractions: AnyObject {
    func goToSignIn()
    func goToSignUp()
    func returnedToWelcome()
    func finishedPresenting(_ error: ErrorToPresent)
}

@MainActor
final class ReduxOnboardingUserInteractions: OnboardingUserInteractions {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>

    init(actionDispatcher: any ActionDispatcher<OnboardingAction>) {
        self.actionDispatcher = actionDispatcher
    }

    func goToSignIn() {
        actionDispatcher.dispatch(.goToSignIn)
    }

    func goToSignUp() {
        actionDispatcher.dispatch(.goToSignUp)
    }

    func returnedToWelcome() {
        actionDispatcher.dispatch(.returnedToWelcome)
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
