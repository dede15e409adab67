#if canImport(Security)
    import Foundation
    import PouchNetwork
    import PouchService
    import Security

    /// Stores a session in the Keychain of this device. Backups on other devices do not contain it.
    public actor KeychainSessionStore: SessionStore {
        /// An error of the Keychain, as an `OSStatus`.
        public struct Failure: Error, Sendable, Equatable {
            public let status: Int32
        }

        private let service: String
        private let account: String
        private let thread = FileThread()

        public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        /// - Parameters:
        ///   - service: the item's service in the Keychain, such as the application's name.
        ///   - account: the item's account, one for each server.
        public init(service: String, account: String) {
            self.service = service
            self.account = account
        }

        public func load() throws -> Data? {
            var query = item
            query[kSecReturnData] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            return found as? Data
        }

        public func save(_ session: Data) throws {
            let status = SecItemUpdate(item as CFDictionary, [kSecValueData: session] as CFDictionary)
            guard status == errSecItemNotFound else { return try Self.check(status) }
            try Self.check(add(session))
        }

        public func saveUnlessSaved(_ session: Data) throws -> Data {
            let status = add(session)
            guard status == errSecDuplicateItem else {
                try Self.check(status)
                return session
            }
            return try load() ?? session
        }

        private func add(_ session: Data) -> OSStatus {
            var new = item
            new[kSecValueData] = session
            new[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            return SecItemAdd(new as CFDictionary, nil)
        }

        public func clear() throws {
            let status = SecItemDelete(item as CFDictionary)
            if status != errSecItemNotFound { try Self.check(status) }
        }

        private var item: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
        }

        private static func check(_ status: OSStatus) throws {
            guard status == errSecSuccess else { throw Failure(status: status) }
        }
    }
#endif
