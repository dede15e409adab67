import KooberKit
import KooberOnboarding
import PouchEntities
import Testing

@testable import KooberHierarchy

/// The app that each of the four ways builds, and the lifetimes of its objects.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct DependencyWayTests {
    private struct Weak {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    @Test(arguments: DependencyWay.allCases)
    func `each way builds the same app, hands it the session, and shares one repository`(
        _ way: DependencyWay
    ) async throws {
        let app = way.launch()
        let repository = try await launches(app)
        // Onboarding
        var gone: [Weak] = []
        weak var onboardingViewModel: OnboardingViewModel?
        do {
            let onboarding = try #require(app.onboarding())
            onboardingViewModel = onboarding.viewModel
            gone = checks(onboarding, repository)
            try await onboarding.signIn.viewModel.signIn(try credentials("ada@example.org"))
        }
        #expect(gone.allSatisfy { $0.object == nil })
        // A single container has no shorter lifetime to give it.
        #expect((onboardingViewModel != nil) == (way == .singleContainer))
        // The first session
        do {
            let signedIn = try #require(app.signedIn())
            #expect(signedIn.profile.userSession.profile?.email == "ada@example.org")
            #expect(signedIn.profile.userSessionRepository === repository)
            gone = [Weak(signedIn.screen), Weak(signedIn.profile)]
            let first = try #require(signedIn.changeAccount())
            signedIn.keepAccount()
            let onboarding = try #require(signedIn.changeAccount())
            #expect(onboarding !== first)
            gone += checks(onboarding, repository)
            try await onboarding.signUp.viewModel.signUp(
                try NewAccount(name: "Grace", email: "grace@example.org", mobileNumber: "", password: Secret("b")))
        }
        #expect(gone.allSatisfy { $0.object == nil })
        // The second one
        do {
            let signedIn = try #require(app.signedIn())
            #expect(signedIn.profile.userSession.profile?.email == "grace@example.org")
            #expect(try await repository.readUserSession() == signedIn.profile.userSession)
            gone = [Weak(signedIn.screen), Weak(signedIn.profile)]
            try await signedIn.profile.signOut()
        }
        #expect(gone.allSatisfy { $0.object == nil })
        #expect(try await repository.readUserSession() == nil)
        #expect(app.main.view == .onboarding && app.onboarding()?.viewModel.view == .welcome)
        #expect(app.onboarding()?.signIn.viewModel.userSessionRepository === repository)
    }

    /// - Returns: the repository, which found no session.
    private func launches(_ app: DependencyWay.App) async throws -> any UserSessionRepository {
        let viewModel = try #require(app.launchScreen()).viewModel
        #expect(app.main.view == .launching)
        await viewModel.loadUserSession()
        #expect(app.main.view == .onboarding && app.launchScreen() == nil)
        return viewModel.userSessionRepository
    }

    /// - Returns: the objects that end with the onboarding.
    private func checks(_ onboarding: OnboardingScreen, _ repository: any UserSessionRepository) -> [Weak] {
        #expect(onboarding.signIn.viewModel.userSessionRepository === repository)
        #expect(onboarding.signUp.viewModel.userSessionRepository === repository)
        onboarding.welcome.viewModel.showSignUp()
        #expect(onboarding.viewModel.view == .signUp)
        onboarding.welcome.viewModel.showSignIn()
        #expect(onboarding.viewModel.view == .signIn)
        return [
            Weak(onboarding), Weak(onboarding.welcome.viewModel), Weak(onboarding.signIn.viewModel),
            Weak(onboarding.signUp.viewModel),
        ]
    }

    @Test func `the container of the onboarding lives exactly as long as its screens`() {
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

    @Test func `the container of a session captures it as a value, and lives as long as the signed-in screen`() throws {
        let session = FakeAuthRemoteAPI().signIn(try credentials("ada@example.org"))
        weak var container: KooberSignedInDependencyContainer?
        var screen: SignedInScreen?
        do {
            let made = KooberSignedInDependencyContainer(
                appDependencyContainer: KooberAppDependencyContainer(), userSession: session)
            container = made
            screen = made.makeSignedInScreen()
            let captured = try #require(Mirror(reflecting: made).children.first { $0.label == "userSession" }?.value)
            #expect(Mirror(reflecting: captured).displayStyle == .struct)
        }
        #expect(screen?.profile.viewModel.userSession == session && container != nil)
        screen = nil
        #expect(container == nil)
    }

    @Test func `a parent knows no container of its children`() {
        let app = KooberAppDependencyContainer()
        let screen = app.makeMainScreen()
        screen.viewModel.notSignedIn()
        #expect(screen.onboarding != nil)
        for child in Mirror(reflecting: app).children {
            #expect(!"\(type(of: child.value))".contains("Container"), "\(child.label ?? "")")
        }
    }

    @Test func `an object is tested with fakes, and without factories or containers`() async throws {
        let repository = FixedUserSessionRepository(FakeAuthRemoteAPI().signIn(try credentials("ada@example.org")))
        let main = MainViewModel()
        let viewModel = SignInViewModel(userSessionRepository: repository, signedInResponder: main)
        try await viewModel.signIn(try credentials("grace@example.org"))
        #expect(main.view == .signedIn(repository.userSession))
    }

    private func credentials(_ email: String) throws -> Credentials {
        try Credentials(email: email, password: Secret("password"))
    }
}

/// Signs in every user with the same session.
final class FixedUserSessionRepository: UserSessionRepository {
    let userSession: UserSession

    init(_ userSession: UserSession) { self.userSession = userSession }
    func readUserSession() -> UserSession? { userSession }
    func signUp(_ account: NewAccount) -> UserSession { userSession }
    func signIn(_ credentials: Credentials) -> UserSession { userSession }
    func signOut(_ userSession: UserSession) {}
    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> { AsyncStream { $0.finish() } }
}
