import KooberOnboarding

/// Where the process begins.
@MainActor
public final class AppDelegate {
    private let container = KooberAppDependencyContainer()
    public let mainScreen: MainScreen

    public init() {
        mainScreen = container.makeMainScreen()
    }
}
