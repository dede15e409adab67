import Foundation

/// The tokens of a session. Both are secrets.
public struct RemoteSession: Codable, Sendable, Hashable {
    /// Sent with every request.
    public let accessToken: String
    public let accessTokenExpiresAt: Date
    /// Exchanged, once, for the next pair.
    public let refreshToken: String
    public let refreshTokenExpiresAt: Date

    public init(
        accessToken: String, accessTokenExpiresAt: Date, refreshToken: String, refreshTokenExpiresAt: Date
    ) {
        self.accessToken = accessToken
        self.accessTokenExpiresAt = accessTokenExpiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
    }
}

extension RemoteSession: CustomStringConvertible {
    /// Without the tokens, so that a log cannot leak them.
    public var description: String { "RemoteSession(expires \(refreshTokenExpiresAt))" }
}

extension RemoteSession: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
