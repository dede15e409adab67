import KooberOnboarding

/// Where the process begins.
@MainActor
public final class AppDelegate {
    public let mainScreen: MainScreen

    public init() {
        mainScreen = KooberObjectFactories().makeMainScreen(
            viewModel: globalMainViewModel, userSessionRepository: globalUserSessionRepository)
    }
}
