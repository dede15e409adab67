import Foundation
import KooberFactories
@testable import KooberHierarchy
import KooberKit
import KooberOnDemand
import KooberOnboarding
import KooberScenarios
import KooberSingleContainer
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DependencyApproachTests {
    private final class Weak {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    @Test(arguments: DependencyApproach.allCases)
    func `each way builds the same onboarding`(_ approach: DependencyApproach) async throws {
        let app = approach.launch()
        // A global keeps the state of an earlier app of the same process.
        #expect(app.main.view == .launching || approach == .factories)
        let repository = try await launches(app)

        var gone: [Weak] = []
        weak var onboardingViewModel: OnboardingViewModel?
        do {
            let onboarding = try #require(app.onboarding())
            onboardingViewModel = onboarding.viewModel
            #expect(onboarding.signIn.viewModel.userSessionRepository === repository)
            #expect(onboarding.signUp.viewModel.userSessionRepository === repository)
            onboarding.welcome.viewModel.showSignUp()
            #expect(onboarding.viewModel.view == .signUp)
            onboarding.welcome.viewModel.showSignIn()
            #expect(onboarding.viewModel.view == .signIn)
            gone = [
                Weak(onboarding), Weak(onboarding.welcome.viewModel), Weak(onboarding.signIn.viewModel),
                Weak(onboarding.signUp.viewModel),
            ]
            try await onboarding.signIn.viewModel.signIn(email: "ada@example.org", password: Secret("secret"))
        }
        guard case .signedIn(let session) = app.main.view else {
            Issue.record("The user is not signed in.")
            return
        }
        #expect(session.profile?.email == "ada@example.org")
        #expect(gone.allSatisfy { $0.object == nil })
        // A single container has no shorter lifetime to give it.
        #expect((onboardingViewModel != nil) == (approach == .singleContainer))

        try await repository.signOut(userSession: session)
        app.main.notSignedIn()
        let next = try #require(app.onboarding())
        #expect(next.viewModel.view == .welcome)
        #expect(next.signIn.viewModel.userSessionRepository === repository)
    }

    /// - Returns: the repository, which found no session.
    private func launches(_ app: DependencyApproach.Shown) async throws -> any UserSessionRepository {
        let viewModel = try #require(app.launch()).viewModel
        await viewModel.loadUserSession()
        #expect(app.main.view == .onboarding)
        #expect(app.launch() == nil)
        return viewModel.userSessionRepository
    }

    @Test func `the table in the README matches the code`() throws {
        let readme = try DependencyApproach.readme
        let figures = try DependencyApproach.allCases.map { try Figures($0.code()) }
        let rows: [(String, (Figures) -> Int)] = [
            ("Lines of code", \.lines),
            ("Places where an object of the graph is made", \.constructions),
            ("of which in a screen", \.constructionsInScreens),
            ("Globals", \.globals),
            ("Optional dependencies", \.optionals),
            ("Parameters of factory methods", \.parameters),
            ("Places to change for another data store", \.dataStores),
        ]
        for (title, figure) in rows {
            let row = "| \(title) | " + figures.map { String(figure($0)) }.joined(separator: " | ") + " |"
            #expect(readme.contains(row), "\(row)")
        }
    }
}

/// The figures of one way, counted in its code.
private struct Figures {
    private static let graph = [
        "KooberUserSessionRepository", "CodedUserSessionDataStore", "UserSessionPropertyListCoder", "FakeAuthRemoteAPI",
        "MainViewModel", "MainScreen", "LaunchViewModel", "LaunchScreen", "OnboardingViewModel", "OnboardingScreen",
        "WelcomeViewModel", "WelcomeScreen", "SignInViewModel", "SignInScreen", "SignUpViewModel", "SignUpScreen",
    ]

    let lines: Int
    let constructions: Int
    let constructionsInScreens: Int
    let globals: Int
    let optionals: Int
    let parameters: Int
    let dataStores: Int

    init(_ code: [String: [String]]) {
        func sites(of type: String, in lines: [String]) -> Int {
            // Members, and methods whose name ends with the name of the type, do not count.
            lines.reduce(0) { count, line in
                let parts = line.components(separatedBy: type + "(").dropLast()
                return count + parts.count { $0.last.map { !$0.isLetter && $0 != "." } ?? true }
            }
        }
        let all = code.values.flatMap { $0 }
        let screens = code.filter { $0.key.hasSuffix("Screen.swift") }.values.flatMap { $0 }
        lines = all.count
        constructions = Self.graph.reduce(0) { $0 + sites(of: $1, in: all) }
        constructionsInScreens = Self.graph.reduce(0) { $0 + sites(of: $1, in: screens) }
        globals = all.count { $0.hasPrefix("let global") }
        optionals = all.count { $0.contains("shared") && $0.hasSuffix("?") }
        let text = all.joined(separator: " ")
        parameters = text.matches(of: /func make\w+\(([^)]*)\)/).reduce(0) { count, match in
            count + match.1.count { $0 == ":" }
        }
        dataStores = sites(of: "CodedUserSessionDataStore", in: all)
    }
}

@MainActor
struct HierarchyTests {
    @Test func `the container of a scope lives exactly as long as the objects it made there`() {
        weak var container: KooberOnboardingDependencyContainer?
        var screen: OnboardingScreen?
        do {
            let made = KooberOnboardingDependencyContainer(appDependencyContainer: KooberAppDependencyContainer())
            container = made
            screen = made.makeOnboardingScreen()
        }
        #expect(container != nil)
        screen?.welcome.viewModel.showSignIn()
        #expect(screen?.viewModel.view == .signIn)
        screen = nil
        #expect(container == nil)
    }
}

/// The four ways to build the same onboarding, each with the root of its process.
enum DependencyApproach: String, CaseIterable {
    case onDemand = "OnDemand"
    case factories = "Factories"
    case singleContainer = "SingleContainer"
    case hierarchy = "Hierarchy"

    /// The screens of a process.
    @MainActor
    struct Shown {
        let main: MainViewModel
        let launch: () -> LaunchScreen?
        let onboarding: () -> OnboardingScreen?
    }

    @MainActor
    func launch() -> Shown {
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
        .appending(path: "../../../Client/Examples/Dependencies").standardized

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

/// The code of the page that walks through one feature in the three architectures.
@Suite
struct SignInThreeWaysTests {
    @Test func `the page shows the sources as they are`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Client/SignInThreeWays.md"), encoding: .utf8)
        let excerpts = page.matches(of: /\n`([^`\n]+)`\n\n```swift\n((?:[^`]|`(?!``))+?)```\n/)
        #expect(excerpts.count == page.components(separatedBy: "```swift").count - 1)
        for excerpt in excerpts {
            let source = try String(contentsOf: root.appending(path: String(excerpt.output.1)), encoding: .utf8)
            #expect(source.contains(excerpt.output.2), "\(excerpt.output.1) does not contain:\n\(excerpt.output.2)")
        }
        for architecture in ["KooberMVVM", "KooberRedux", "KooberElements"] {
            #expect(excerpts.contains { $0.output.1.contains(architecture) })
        }
    }
}
