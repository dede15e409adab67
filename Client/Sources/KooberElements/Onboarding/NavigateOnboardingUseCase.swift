/// Shows one of the onboarding's screens. Does nothing while a form is being answered.
@MainActor
public protocol NavigateOnboardingUseCaseFactory: AnyObject {
    func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase
}

final class NavigateOnboardingUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let screen: OnboardingState.Screen
    private let onboarding: StateStore<OnboardingState>

    init(screen: OnboardingState.Screen, onboarding: StateStore<OnboardingState>) {
        self.screen = screen
        self.onboarding = onboarding
    }

    func begin() {
        onboarding.update {
            guard !$0.isAuthenticating else { return }
            $0.screen = screen
        }
    }
}
