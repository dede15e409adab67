import KooberKit
import PouchClient

/// A place to store the session.
public enum UserSessionDataStoreChoice: String, CaseIterable, Sendable {
    case file
    #if canImport(Security)
        case keychain
    #endif
    /// Until the process ends.
    case memory

    /// The Keychain, or a file on systems without one and in builds with `USER_SESSION_DATASTORE_FILEBASED`, such as those
    /// for manual tests.
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
