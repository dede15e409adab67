import KooberClient
import KooberKit
import KooberOnboarding
import class PouchClient.MemorySessionStore
import PouchEntities

/// A conforming type has a session repository, which an extension of this protocol creates.
///
///     final class Launch: UsesUserSessionRepository {}
///     let user = try await Launch().findUser()
///
/// It needs no initializer, no property and no container. Its drawbacks:
///
/// - An extension stores nothing, so each use creates another object. Nothing can be shared, and nothing has a
///   lifetime. Only a global could change that.
/// - There is one implementation for all conforming types. The code of the extension uses it even if a type has a
///   property with the same name.
/// - As a protocol requirement, the property could be replaced: by a type for all its objects, but not by a test for
///   one object.
public protocol UsesUserSessionRepository {}

extension UsesUserSessionRepository {
    public var userSessionRepository: any UserSessionRepository {
        KooberUserSessionRepository(
            dataStore: CodedUserSessionDataStore(bytes: MemorySessionStore(), coder: UserSessionPropertyListCoder()),
            remoteAPI: FakeAuthRemoteAPI())
    }

    public func findUser() async throws(ErrorMessage) -> Profile? {
        try await userSessionRepository.readUserSession()?.profile
    }

    public func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> Profile? {
        try await userSessionRepository.signIn(credentials).profile
    }
}
