import Foundation
import PouchClient

/// Keeps a session as a device does, and makes its token useless whenever one likes.
actor RestartedStore: SessionStore {
    private var session: Data?

    func load() -> Data? { session }

    func save(_ session: Data) { self.session = session }

    func clear() { session = nil }

    /// The next client to load the session finds a token that looks expired, or one that the server does not know.
    func spoil(looksExpired: Bool) throws {
        guard let session, var fields = try JSONSerialization.jsonObject(with: session) as? [String: Any],
            var tokens = fields["remoteSession"] as? [String: Any]
        else { return }
        if looksExpired {
            tokens["accessTokenExpiresAt"] = "2020-01-01T00:00:00.000Z"
        } else {
            tokens["accessToken"] = "unknown"
        }
        fields["remoteSession"] = tokens
        self.session = try JSONSerialization.data(withJSONObject: fields)
    }
}
