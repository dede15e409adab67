/// Somebody who is known to the server, with the tokens that prove it.
public struct UserSession: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let kind: SessionKind
    /// nil for a guest.
    public let profile: Profile?
    public let remoteSession: RemoteSession

    public init(id: String, kind: SessionKind, profile: Profile?, remoteSession: RemoteSession) {
        self.id = id
        self.kind = kind
        self.profile = profile
        self.remoteSession = remoteSession
    }
}
