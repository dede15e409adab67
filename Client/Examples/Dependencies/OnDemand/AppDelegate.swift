import KooberOnboarding

/// Where the process begins.
@MainActor
public final class AppDelegate {
    public let mainScreen: MainScreen

    public init() {
        let mainViewModel = MainViewModel()
        let launchViewModel = LaunchViewModel(
            userSessionRepository: globalUserSessionRepository, notSignedInResponder: mainViewModel,
            signedInResponder: mainViewModel)
        mainScreen = MainScreen(viewModel: mainViewModel, launch: LaunchScreen(viewModel: launchViewModel))
    }
}
