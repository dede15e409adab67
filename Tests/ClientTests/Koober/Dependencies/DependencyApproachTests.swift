import Foundation
import KooberKit
import KooberOnboarding
import KooberScenarios
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
    func `each way puts the same onboarding together`(_ approach: DependencyApproach) async throws {
        let app = approach.begin()
        // A global still shows what an earlier app of the same process did.
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
            Issue.record("nobody is signed in")
            return
        }
        #expect(session.profile?.email == "ada@example.org")
        #expect(gone.allSatisfy { $0.object == nil })
        // The one container has no shorter life to give it.
        #expect((onboardingViewModel != nil) == (approach == .singleContainer))

        try await repository.signOut(userSession: session)
        app.main.notSignedIn()
        let next = try #require(app.onboarding())
        #expect(next.viewModel.view == .welcome)
        #expect(next.signIn.viewModel.userSessionRepository === repository)
    }

    /// - Returns: the repository that found nobody.
    private func launches(_ app: DependencyApproach.Shown) async throws -> any UserSessionRepository {
        let viewModel = try #require(app.launch()).viewModel
        await viewModel.loadUserSession()
        #expect(app.main.view == .onboarding)
        #expect(app.launch() == nil)
        return viewModel.userSessionRepository
    }

    @Test func `the table in the README is what the code says`() throws {
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

/// What can be counted in the code of one way.
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
            // Neither a method whose name ends with the type's nor a member.
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
