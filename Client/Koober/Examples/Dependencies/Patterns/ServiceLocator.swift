import KooberKit
import KooberOnboarding
import PouchEntities

/// Finds objects by their type. An object receives the locator instead of its dependencies, and asks it when it needs
/// one.
///
///     let locator = ServiceLocator()
///     locator.register((any UserSessionRepository).self) { repository }
///     let viewModel = LocatingSignInViewModel(locator: locator)
///
/// It is easy to use: a new dependency changes no initializer. Its drawbacks:
///
/// - The initializer does not show the object's dependencies. Only its code does.
/// - The compiler cannot check what is registered. A missing service is an error at run time, when the object asks for
///   it, which may be after half of its work.
/// - A test has to fail to find out what to register.
///
/// The root of the process creates one and passes it on. As a global, it could be replaced while objects use it; here,
/// only objects that have it can change it, on the main actor.
@MainActor
public final class ServiceLocator {
    private var makers: [ObjectIdentifier: @MainActor () -> Any] = [:]

    public init() {}

    /// - Parameter make: called for each request. A shared object is created before, and captured.
    public func register<Service>(_ type: Service.Type, _ make: @escaping @MainActor () -> Service) {
        makers[ObjectIdentifier(type)] = make
    }

    /// - Throws: `MissingService` if nothing is registered for this very type. A class is not found by its protocols.
    public func locate<Service>(_ type: Service.Type) throws(MissingService) -> Service {
        guard let service = makers[ObjectIdentifier(type)]?() as? Service else {
            throw MissingService(name: "\(type)")
        }
        return service
    }
}

public struct MissingService: Error, Equatable {
    public let name: String

    public init(name: String) {
        self.name = name
    }
}

/// Signs in like `SignInViewModel`, with the same two dependencies. Neither is visible from outside.
@MainActor
public final class LocatingSignInViewModel {
    private let locator: ServiceLocator

    public init(locator: ServiceLocator) {
        self.locator = locator
    }

    public func signIn(_ credentials: Credentials) async throws {
        let userSession = try await locator.locate((any UserSessionRepository).self).signIn(credentials)
        try locator.locate((any SignedInResponder).self).signedIn(to: userSession)
    }
}
