import KooberKit
import PouchClient
import PouchEntities

/// Keeps the session in whatever keeps bytes: a file, the Keychain, memory.
///
/// Several may have the same session kept or deleted, such as the SDK, the repository and a presentation: bytes are written
/// only where that changes what is kept.
public actor CodedUserSessionDataStore: UserSessionDataStore {
    private var bytes: SessionStoreQueue
    private let coder: any UserSessionCoding

    /// - Parameter bytes: written by no other object of this process.
    public init(bytes: any SessionStore, coder: any UserSessionCoding) {
        self.bytes = SessionStoreQueue(bytes)
        self.coder = coder
    }

    /// - Throws: also where the bytes are no session to the coder.
    public func readUserSession() async throws -> UserSession? {
        try await bytes.add { [coder] store in try await store.load().map(coder.decode) }.value
    }

    public func save(userSession: UserSession) async throws {
        try await bytes.add { [coder] store in
            // What cannot be read is nothing that could be lost.
            let kept = try? await store.load().map(coder.decode)
            if let kept, kept == userSession || kept.isLater(than: userSession) { return }
            try await store.save(try coder.encode(userSession: userSession))
        }.value
    }

    public func delete(userSession: UserSession) async throws {
        try await bytes.add { [coder] store in
            do {
                guard let kept = try await store.load(), try coder.decode(data: kept).id == userSession.id else {
                    return
                }
            } catch {
                // What cannot be read is nothing that could be lost.
            }
            try await store.clear()
        }.value
    }
}

extension UserSession {
    fileprivate func isLater(than other: UserSession) -> Bool {
        let (tokens, others) = (remoteSession, other.remoteSession)
        // The server may begin to give access tokens a shorter life, and a renewal spends the earlier refresh token.
        return id == other.id
            && (tokens.refreshTokenExpiresAt, tokens.accessTokenExpiresAt)
                > (others.refreshTokenExpiresAt, others.accessTokenExpiresAt)
    }
}
