import Foundation
import KooberKit
import PouchEntities

/// Accepts every account, without a network.
public final class FakeAuthRemoteAPI: AuthRemoteAPI {
    public init() {}

    public func signIn(_ credentials: Credentials) -> UserSession {
        session(name: credentials.email, email: credentials.email)
    }

    public func signUp(_ account: NewAccount) -> UserSession { session(name: account.name, email: account.email) }

    public func signOut(_ userSession: UserSession) {}

    public func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> { AsyncStream { $0.finish() } }

    /// Its tokens never expire.
    public func onRenewal(_ store: @escaping SessionWriter) {}

    private func session(name: String, email: String) -> UserSession {
        UserSession(
            id: "ses_" + email, kind: .customer, profile: Profile(id: "acc_" + email, name: name, email: email),
            remoteSession: RemoteSession(
                accessToken: "access", accessTokenExpiresAt: .distantFuture, refreshToken: "refresh",
                refreshTokenExpiresAt: .distantFuture))
    }
}
