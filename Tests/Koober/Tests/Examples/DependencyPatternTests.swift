import KooberDependencyPatterns
import KooberKit
import KooberOnboarding
import PouchEntities
import Testing

/// The drawbacks of the patterns other than dependency injection, as they show in a running program.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct DependencyPatternTests {
    private let ada: Credentials
    private let fake: FixedUserSessionRepository

    init() throws {
        ada = try Credentials(email: "ada@example.org", password: Secret("password"))
        fake = FixedUserSessionRepository(
            FakeAuthRemoteAPI().signIn(try Credentials(email: "fake@example.org", password: Secret("password"))))
    }

    @Test func `a service that is not registered fails at run time, after half of the work`() async throws {
        let repository = AppEnvironment.current.userSessionRepository
        let locator = ServiceLocator()
        locator.register((any UserSessionRepository).self) { repository }
        // The compiler accepts this object, whose second dependency is missing.
        let viewModel = LocatingSignInViewModel(locator: locator)
        await #expect(throws: MissingService(name: "\((any SignedInResponder).self)")) {
            try await viewModel.signIn(ada)
        }
        let session = try #require(try await repository.readUserSession())
        try await repository.signOut(session)
    }

    @Test func `a locator does not find a class by its protocol`() {
        let locator = ServiceLocator()
        locator.register(MainViewModel.self) { MainViewModel() }
        #expect(throws: MissingService.self) { try locator.locate((any SignedInResponder).self) }
    }

    @Test func `an object with all services signs in`() async throws {
        let main = MainViewModel()
        let locator = ServiceLocator()
        locator.register((any UserSessionRepository).self) { [fake] in fake }
        locator.register((any SignedInResponder).self) { main }
        try await LocatingSignInViewModel(locator: locator).signIn(ada)
        #expect(main.view == .signedIn(fake.userSession))
    }

    @Test func `a change of the environment is one for all objects, and none of them says so`() async throws {
        let (launch, signIn) = (EnvironmentLaunch(), EnvironmentSignIn())
        var environment = AppEnvironment.current
        environment.userSessionRepository = fake
        // Nothing in these calls mentions the fake.
        let users = try await AppEnvironment.$current.withValue(environment) {
            [try await launch.findUser(), try await signIn.signIn(ada)]
        }
        #expect(users == [fake.userSession.profile, fake.userSession.profile])
    }

    @Test func `an object uses the environment where it is called, and not where it was made`() async throws {
        var environment = AppEnvironment.current
        environment.userSessionRepository = fake
        let launch = AppEnvironment.$current.withValue(environment) { EnvironmentLaunch() }
        #expect(try await launch.findUser() != fake.userSession.profile)
    }

    private struct Launch: UsesUserSessionRepository {}

    private struct LaunchWithFake: UsesUserSessionRepository { let userSessionRepository: any UserSessionRepository }

    @Test func `an extension stores nothing, so that a session is gone with the next use`() async throws {
        let launch = Launch()
        #expect(try await launch.signIn(ada)?.email == "ada@example.org")
        #expect(try await launch.findUser() == nil)
        #expect(launch.userSessionRepository !== launch.userSessionRepository)
    }

    @Test func `the extension ignores the fake of a type that conforms`() async throws {
        let launch = LaunchWithFake(userSessionRepository: fake)
        #expect(launch.userSessionRepository === fake)
        #expect(try await launch.findUser() == nil)
        #expect(try await launch.signIn(ada)?.email == "ada@example.org")
    }
}
