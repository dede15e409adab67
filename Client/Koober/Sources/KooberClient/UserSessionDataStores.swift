import Foundation
import KooberKit
import KooberTexts
import PouchClient
import PouchEntities
import PouchJSON
import Synchronization

/// A place to store the session.
public enum UserSessionDataStoreChoice: String, CaseIterable, Sendable {
    case file
    #if canImport(Security)
        case keychain
    #endif
    /// In memory, until the process ends.
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

/// Stores the session in a byte store: a file, the Keychain or memory. Bytes are written only if that changes them.
public actor CodedUserSessionDataStore: UserSessionDataStore {
    private var bytes: SessionStoreQueue
    private let coder: any UserSessionCoding

    /// - Parameter bytes: a store that no other object of this process writes.
    public init(bytes: any SessionStore, coder: any UserSessionCoding) {
        self.bytes = SessionStoreQueue(bytes)
        self.coder = coder
    }

    /// - Throws: an error, also if the bytes are damaged or in another format.
    public func readUserSession() async throws(ErrorMessage) -> UserSession? {
        try await perform(.sessionUnreadable, .sessionUnreadableAdvice) { [coder] store in
            try await store.load().map(coder.decode)
        }
    }

    public func save(_ userSession: UserSession) async throws(ErrorMessage) {
        try await perform(.sessionNotSaved, .deviceStorage) { [coder] store in
            // Unreadable bytes are overwritten.
            let stored = try? await store.load().map(coder.decode)
            if let stored, stored == userSession || stored.isLater(than: userSession) { return }
            try await store.save(try coder.encode(userSession: userSession))
        }
    }

    public func delete(_ userSession: UserSession) async throws(ErrorMessage) {
        try await perform(.sessionNotDeleted, .deviceStorage) { [coder] store in
            guard let stored = try await store.load() else { return }
            // Unreadable bytes are deleted.
            if let session = try? coder.decode(data: stored), session.id != userSession.id { return }
            try await store.clear()
        }
    }

    private func perform<Value: Sendable>(
        _ title: Phrase, _ message: Phrase, _ work: @escaping @Sendable (any SessionStore) async throws -> Value
    ) async throws(ErrorMessage) -> Value {
        do {
            return try await bytes.add(work).value
        } catch {
            throw ErrorMessage(title: title, message: message)
        }
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

/// The session as the SDK knows it. The SDK reads Koober's data store but does not write it: the app stores the session
/// that a sign-in returns, and renewed tokens reach the app's writer.
final class DataStoreSessionStore: SessionStore {
    private struct State {
        var session: UserSession?
        /// Whether the session has been in the data store. Until then, its content is older.
        var isStored = false
        var writer: SessionWriter?
    }

    private let dataStore: any UserSessionDataStore
    private let state = Mutex(State())

    init(_ dataStore: any UserSessionDataStore) {
        self.dataStore = dataStore
    }

    func setRenewalWriter(_ writer: @escaping SessionWriter) {
        state.withLock { $0.writer = writer }
    }

    /// Also returns nil if the stored session cannot be read. The next sign-in overwrites it.
    func load() async -> Data? {
        let stored = (try? await dataStore.readUserSession()) ?? nil
        let session = state.withLock { state -> UserSession? in
            if let session = state.session, !state.isStored, stored?.id != session.id { return session }
            state.isStored = true
            // The writer of renewed tokens may have failed.
            if let session = state.session, let stored, session.isLater(than: stored) { return session }
            state.session = stored
            return stored
        }
        return session.flatMap { try? $0.json() }
    }

    /// Returns once the app has stored renewed tokens.
    func save(_ session: Data) async throws {
        let session = try UserSession(json: session)
        let writer = state.withLock { state in
            let isRenewal = state.session?.id == session.id
            if !isRenewal { state.isStored = false }
            state.session = session
            return isRenewal ? state.writer : nil
        }
        try await writer?(session)
    }

    func clear() {
        state.withLock { $0.session = nil }
    }
}
