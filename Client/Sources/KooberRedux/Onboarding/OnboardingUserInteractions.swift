@MainActor
final class OnboardingUserInteractions {
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
