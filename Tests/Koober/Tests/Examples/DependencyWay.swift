import Foundation
import KooberFactories
import KooberHierarchy
import KooberOnDemand
import KooberOnboarding
import KooberSingleContainer

/// The four ways to wire up the same onboarding, each with the root of its process.
enum DependencyWay: String, CaseIterable {
    case onDemand = "OnDemand"
    case factories = "Factories"
    case singleContainer = "SingleContainer"
    case hierarchy = "Hierarchy"

    @MainActor struct App {
        let main: MainViewModel
        let launchScreen: () -> LaunchScreen?
        let onboarding: () -> OnboardingScreen?
        let signedIn: () -> SignedIn?
    }

    /// The signed-in screen, which on demand has a type of its own.
    @MainActor struct SignedIn {
        let screen: AnyObject
        let profile: ProfileViewModel
        let changeAccount: () -> OnboardingScreen?
        let keepAccount: () -> Void
    }

    @MainActor
    func launch() -> App {
        switch self {
        case .onDemand:
            let screen = KooberOnDemand.AppDelegate().mainScreen
            return App(
                main: screen.viewModel, launchScreen: { screen.launch }, onboarding: { screen.onboarding },
                signedIn: {
                    screen.signedIn.map { signedIn in
                        SignedIn(
                            screen: signedIn, profile: signedIn.profile.viewModel,
                            changeAccount: {
                                signedIn.changeAccount()
                                return signedIn.onboarding
                            }, keepAccount: signedIn.keepAccount)
                    }
                })
        case .factories: return app(KooberFactories.AppDelegate().mainScreen)
        case .singleContainer: return app(KooberSingleContainer.AppDelegate().mainScreen)
        case .hierarchy: return app(KooberHierarchy.AppDelegate().mainScreen)
        }
    }

    @MainActor
    private func app(_ screen: KooberOnboarding.MainScreen) -> App {
        App(
            main: screen.viewModel, launchScreen: { screen.launch }, onboarding: { screen.onboarding },
            signedIn: {
                screen.signedIn.map { signedIn in
                    SignedIn(
                        screen: signedIn, profile: signedIn.profile.viewModel,
                        changeAccount: {
                            signedIn.changeAccount()
                            return signedIn.onboarding
                        }, keepAccount: signedIn.keepAccount)
                }
            })
    }

    // MARK: The code

    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../../../Client/Koober/Examples").standardized

    func files() throws -> [String: String] {
        let folder = Self.folder.appending(path: "Dependencies/" + rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: folder.appending(component: $0), encoding: .utf8))
            })
    }

    /// The lines of code of each file, without comments.
    func code() throws -> [String: [String]] {
        try files().mapValues { text in
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty && !$0.hasPrefix("//") }
        }
    }
}
