import Foundation
import KooberKit
import PouchClient
import PouchEntities
import PouchJSON

/// A place to store the session.
public enum UserSessionDataStoreChoice: String, CaseIterable, Sendable {
    case file
    #if canImport(Security)
        case keychain
    #endif
    /// Until the process ends.
    case memory

    /// The Keychain, or a file on systems without one and in builds with `USER_SESSION_DATASTORE_FILEBASED`, such as
    /// those for manual tests.
    public static var standard: Self {
        #if USER_SESSION_DATASTORE_FILEBASED || !canImport(Security)
            .file
        #else
            .keychain
        #endif
    }

    public func makeDataStore(
        in storage: DeviceStorage, coder: any UserSessionCoding = UserSessionJSONCoder()
    ) -> any UserSessionDataStore {
        let bytes: any SessionStore =
            switch self {
            case .file: FileSessionStore(file: storage.sessionFile)
            #if canImport(Security)
                case .keychain: storage.sessionStore
            #endif
            case .memory: MemorySessionStore()
            }
        return CodedUserSessionDataStore(bytes: bytes, coder: coder)
    }
}

/// Stores the session in a byte store: a file, the Keychain or memory.
///
/// The SDK, the repository and an app may save or delete the same session. Bytes are written only if that changes them.
public actor CodedUserSessionDataStore: UserSessionDataStore {
    private var bytes: SessionStoreQueue
    private let coder: any UserSessionCoding

    /// - Parameter bytes: a store that no other object of this process writes.
    public init(bytes: any SessionStore, coder: any UserSessionCoding) {
        self.bytes = SessionStoreQueue(bytes)
        self.coder = coder
    }

    /// - Throws: an error of the store, or of the coder if the bytes are damaged or in another format.
    public func readUserSession() async throws -> UserSession? {
        try await bytes.add { [coder] store in try await store.load().map(coder.decode) }.value
    }

    public func save(userSession: UserSession) async throws {
        try await bytes.add { [coder] store in
            // Unreadable bytes are overwritten.
            let stored = try? await store.load().map(coder.decode)
            if let stored, stored == userSession || stored.isLater(than: userSession) { return }
            try await store.save(try coder.encode(userSession: userSession))
        }.value
    }

    public func delete(userSession: UserSession) async throws {
        try await bytes.add { [coder] store in
            do {
                guard let stored = try await store.load(), try coder.decode(data: stored).id == userSession.id else {
                    return
                }
            } catch {
                // Unreadable bytes are deleted.
            }
            try await store.clear()
        }.value
    }
}

extension UserSession {
    /// Compares the refresh token first: a refresh always replaces it, while the server may shorten the life of access
    /// tokens.
    fileprivate func isLater(than other: UserSession) -> Bool {
        let (tokens, others) = (remoteSession, other.remoteSession)
        return id == other.id
            && (tokens.refreshTokenExpiresAt, tokens.accessTokenExpiresAt)
                > (others.refreshTokenExpiresAt, others.accessTokenExpiresAt)
    }
}

/// Stores the SDK's session, with refreshed tokens, in Koober's data store.
actor DataStoreSessionStore: SessionStore {
    private let dataStore: any UserSessionDataStore
    private var latest: UserSession?

    init(_ dataStore: any UserSessionDataStore) {
        self.dataStore = dataStore
    }

    /// Returns nil also if the stored session cannot be read. The next sign-in overwrites it.
    func load() async -> Data? {
        latest = (try? await dataStore.readUserSession()) ?? nil
        return latest.flatMap { try? $0.json() }
    }

    func save(_ session: Data) async throws {
        let session = try UserSession(json: session)
        latest = session
        try await dataStore.save(userSession: session)
    }

    /// Does not delete a session that another program has stored since.
    func clear() async throws {
        guard let session = latest else { return }
        try await dataStore.delete(userSession: session)
    }
}
