import Foundation
import PouchContract
import PouchEntities
import PouchWire
import SeededRandom

/// Somebody's session. A long run outlasts its access tokens, so that they are renewed.
actor BuyerSession {
    private var session: RemoteSession
    private var renewal: Task<RemoteSession, any Error>?

    init(_ session: RemoteSession) {
        self.session = session
    }

    /// An access token that holds for a minute yet.
    func token(_ attempts: Attempts) async throws -> String {
        guard session.accessTokenExpiresAt < .now + 60 else { return session.accessToken }
        let task = renewal ?? Task { [session] in try await Self.renewed(session, attempts) }
        renewal = task
        defer { renewal = nil }
        session = try await task.value
        return session.accessToken
    }

    private static func renewed(_ session: RemoteSession, _ attempts: Attempts) async throws -> RemoteSession {
        var random = SystemRandomNumberGenerator()
        var seeded = SplitMix64(seed: random.next())
        return try await attempts.send(
            "POST", Contract.refreshSession.endpoint.template.path(),
            body: WireJSON.encode(RefreshRequest(refreshToken: session.refreshToken)), random: &seeded
        ).value(UserSession.self).remoteSession
    }
}
