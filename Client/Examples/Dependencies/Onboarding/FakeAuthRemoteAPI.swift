import Foundation
import KooberKit
import PouchEntities

/// Accepts every account, without a network.
public struct FakeAuthRemoteAPI: AuthRemoteAPI {
    public init() {}

    public func signIn(email: String, password: Secret) -> UserSession { session(name: email, email: email) }
    public func signUp(account: NewAccount) -> UserSession { session(name: account.name, email: account.email) }
    public func signOut(userSession: UserSession) {}
    public func end(of userSession: UserSession) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    private func session(name: String, email: String) -> UserSession {
        UserSession(
            id: "ses_" + email, kind: .customer, profile: Profile(id: "acc_" + email, name: name, email: email),
            remoteSession: RemoteSession(
                accessToken: "access", accessTokenExpiresAt: .distantFuture, refreshToken: "refresh",
                refreshTokenExpiresAt: .distantFuture))
    }
}
