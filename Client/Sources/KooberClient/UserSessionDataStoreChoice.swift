import KooberKit
import PouchClient

/// Where the session outlives the process.
public enum UserSessionDataStoreChoice: String, CaseIterable, Sendable {
    case file
    #if canImport(Security)
        case keychain
    #endif
    /// Until the process ends.
    case memory

    /// What a build uses that is not told otherwise: a file where it was compiled with `USER_SESSION_DATASTORE_FILEBASED`, as
    /// for tests by hand, or where there is no Keychain.
    public static var standard: Self {
        #if USER_SESSION_DATASTORE_FILEBASED || !canImport(Security)
            .file
        #else
            .keychain
        #endif
    }

    /// - Parameter coder: what was kept with another one cannot be read, so that whoever it was has to sign in again.
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
