import Foundation
import KooberFactories
import KooberHierarchy
import KooberKit
import KooberOnDemand
import KooberOnboarding
import KooberSingleContainer
import PouchEntities

/// Launches the example of one way to wire up the onboarding, and prints whether a user is signed in.
///
///     onboard on-demand
///     onboard on-demand ada@example.org
///
/// With an e-mail address it signs in first.
@main
struct Onboard {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let ways = Way.allCases.map(\.rawValue).joined(separator: "|")
        if arguments.contains("--help") { return print("usage: onboard \(ways) [EMAIL]") }
        guard let way = arguments.first.flatMap(Way.init), arguments.count <= 2 else {
            FileHandle.standardError.write(Data("usage: onboard \(ways) [EMAIL]\n".utf8))
            exit(64)
        }
        let app = way.launch()
        await app.launchScreen()?.viewModel.loadUserSession()
        if let email = arguments.dropFirst().first, let onboarding = app.onboarding() {
            let credentials = try Credentials(email: email, password: Secret("password"))
            try await onboarding.signIn.viewModel.signIn(credentials)
        }
        switch app.main.view {
        case .signedIn(let userSession): print("signed in as \(userSession.profile?.email ?? "")")
        case .onboarding: print("signed out")
        case .launching: print("launching")
        }
    }
}

/// A way to wire up the onboarding, each with the root of its process.
@MainActor
private enum Way: String, CaseIterable {
    case onDemand = "on-demand"
    case factories
    case singleContainer = "single-container"
    case hierarchy

    struct App {
        let main: MainViewModel
        let launchScreen: () -> LaunchScreen?
        let onboarding: () -> OnboardingScreen?
    }

    /// The closures keep the screens, which keep what they need.
    func launch() -> App {
        switch self {
        case .onDemand:
            let screen = KooberOnDemand.AppDelegate().mainScreen
            return App(main: screen.viewModel, launchScreen: { screen.launch }, onboarding: { screen.onboarding })
        case .factories: return app(KooberFactories.AppDelegate().mainScreen)
        case .singleContainer: return app(KooberSingleContainer.AppDelegate().mainScreen)
        case .hierarchy: return app(KooberHierarchy.AppDelegate().mainScreen)
        }
    }

    private func app(_ screen: KooberOnboarding.MainScreen) -> App {
        App(main: screen.viewModel, launchScreen: { screen.launch }, onboarding: { screen.onboarding })
    }
}
