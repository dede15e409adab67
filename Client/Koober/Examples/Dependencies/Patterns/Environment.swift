import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.MemorySessionStore
import PouchEntities

/// The dependencies of all objects, which read the current environment instead of receiving them.
///
///     var environment = AppEnvironment.current
///     environment.userSessionRepository = fake
///     await AppEnvironment.$current.withValue(environment) { await launch.findUser() }
///
/// It takes little code: no initializer has a dependency. Its drawbacks:
///
/// - The dependencies of an object are hidden, as with a service locator.
/// - A change affects every object that reads the environment. None of them can have a different repository.
/// - An object's dependencies depend on where it is called, not on how it was created.
///
/// Usually the environment is a global variable, which Swift 6 refuses, because any thread could change it during a
/// read. Here it is a constant, and a task-local value replaces it for one operation and its child tasks. Tests with
/// different environments can then run at the same time.
public struct AppEnvironment: Sendable {
    @TaskLocal public static var current = AppEnvironment()

    /// The one repository of the process, unless an operation replaces it.
    public var userSessionRepository: any UserSessionRepository

    private init() {
        userSessionRepository = KooberUserSessionRepository(
            dataStore: CodedUserSessionDataStore(bytes: MemorySessionStore(), coder: UserSessionPropertyListCoder()),
            remoteAPI: FakeAuthRemoteAPI())
    }
}

/// Finds the user at the launch, in the repository of the environment.
@MainActor
public final class EnvironmentLaunch {
    public init() {}

    public func findUser() async throws(ErrorMessage) -> Profile? {
        try await AppEnvironment.current.userSessionRepository.readUserSession()?.profile
    }
}

/// Signs in, in the repository of the environment.
@MainActor
public final class EnvironmentSignIn {
    public init() {}

    public func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> Profile? {
        try await AppEnvironment.current.userSessionRepository.signIn(credentials).profile
    }
}
