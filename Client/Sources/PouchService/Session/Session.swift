import Foundation
import PouchWire

/// The few fields of a session that the wrapper needs, beside the raw JSON that it hands on.
struct Session: Sendable {
    let raw: Data
    /// Stays the same when the tokens are renewed.
    let id: String
    let isGuest: Bool
    /// The account's id; nil for a guest.
    let principal: String?
    let accessToken: String
    let accessTokenExpiresAt: Date
    let refreshToken: String

    /// Who the server takes a call for: what is kept for one owner is not for another.
    var owner: String { principal ?? id }

    /// - Returns: nil for bytes that are not a session.
    init?(_ raw: Data) {
        guard let fields = try? WireJSON.decode(Fields.self, from: raw) else { return nil }
        self.raw = raw
        id = fields.id
        isGuest = fields.kind == "guest"
        principal = fields.profile?.id
        accessToken = fields.remoteSession.accessToken
        accessTokenExpiresAt = fields.remoteSession.accessTokenExpiresAt
        refreshToken = fields.remoteSession.refreshToken
    }

    private struct Fields: Decodable {
        struct Profile: Decodable {
            let id: String
        }

        struct Tokens: Decodable {
            let accessToken: String
            let accessTokenExpiresAt: Date
            let refreshToken: String
        }

        let id: String
        let kind: String
        let profile: Profile?
        let remoteSession: Tokens
    }
}

extension Session: CustomStringConvertible, CustomReflectable {
    var description: String { "Session(expires \(accessTokenExpiresAt))" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
