/// Holds what is shown, and lets go of what is not any more.
@MainActor
public final class MainScreen {
    public let viewModel: MainViewModel
    public private(set) var launch: LaunchScreen?
    public private(set) var onboarding: OnboardingScreen?
    private let makeOnboardingScreen: () -> OnboardingScreen

    public init(
        viewModel: MainViewModel, launch: LaunchScreen, makeOnboardingScreen: @escaping () -> OnboardingScreen
    ) {
        self.viewModel = viewModel
        self.launch = launch
        self.makeOnboardingScreen = makeOnboardingScreen
        viewModel.onChange = { [weak self] in self?.present($0) }
    }

    private func present(_ view: MainView) {
        launch = nil
        onboarding = view == .onboarding ? makeOnboardingScreen() : nil
    }
}
