import Foundation
import KooberFactories
import KooberHierarchy
import KooberOnDemand
import KooberOnboarding
import KooberSingleContainer

/// The four ways of putting the same onboarding together, each from where its process begins.
enum DependencyApproach: String, CaseIterable {
    case onDemand = "OnDemand"
    case factories = "Factories"
    case singleContainer = "SingleContainer"
    case hierarchy = "Hierarchy"

    /// What a process shows.
    @MainActor
    struct Shown {
        let main: MainViewModel
        let launch: () -> LaunchScreen?
        let onboarding: () -> OnboardingScreen?
    }

    @MainActor
    func begin() -> Shown {
        switch self {
        case .onDemand:
            let screen = KooberOnDemand.AppDelegate().mainScreen
            return Shown(main: screen.viewModel, launch: { screen.launch }, onboarding: { screen.onboarding })
        case .factories: return shown(by: KooberFactories.AppDelegate().mainScreen, keeping: nil)
        case .singleContainer:
            let delegate = KooberSingleContainer.AppDelegate()
            return shown(by: delegate.mainScreen, keeping: delegate)
        case .hierarchy:
            let delegate = KooberHierarchy.AppDelegate()
            return shown(by: delegate.mainScreen, keeping: delegate)
        }
    }

    @MainActor
    private func shown(by screen: KooberOnboarding.MainScreen, keeping delegate: AnyObject?) -> Shown {
        Shown(
            main: screen.viewModel, launch: { screen.launch },
            onboarding: { withExtendedLifetime(delegate) { screen.onboarding } })
    }

    // MARK: The code

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../../../Client/Examples/Dependencies").standardized

    static var readme: String {
        get throws { try String(contentsOf: folder.appending(component: "README.md"), encoding: .utf8) }
    }

    /// The lines of code by file, without comments.
    func code() throws -> [String: [String]] {
        let folder = Self.folder.appending(component: rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let text = try String(contentsOf: folder.appending(component: name), encoding: .utf8)
                let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                return (name, lines.filter { !$0.isEmpty && !$0.hasPrefix("//") })
            })
    }
}
