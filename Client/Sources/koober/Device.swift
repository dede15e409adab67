#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import KooberClient
    import KooberKit
    import PouchClient
    import PouchEntities
    import PouchPersistence

    extension UserSessionDataStoreChoice: ExpressibleByArgument {}

    /// The server, and where this device keeps what belongs to it.
    struct Device {
        let server: URL
        private let storage: DeviceStorage
        private let sessionStore: UserSessionDataStoreChoice

        /// - Parameter folder: nil for the system's own.
        init(server: URL, folder: String?, sessionStore: UserSessionDataStoreChoice) {
            self.server = server
            self.sessionStore = sessionStore
            storage =
                folder.map { DeviceStorage(server: server, application: "koober", in: URL(filePath: $0)) }
                ?? DeviceStorage(server: server, application: "koober")
        }

        func makeModel(location: GeoPoint?) async -> KooberModel {
            KooberModel(
                server: server, userSessionDataStore: sessionStore.makeDataStore(in: storage),
                userLocationSource: location.map { FixedUserLocationSource($0) } ?? FixedUserLocationSource(),
                store: await requests)
        }

        /// Where requests for rides outlive the process; nil where nothing is to be kept, or can be, which is said.
        private var requests: SQLiteStore? {
            get async {
                guard sessionStore != .memory else { return nil }
                do throws(StoreError) {
                    return try await SQLiteStore.open(at: storage.database)
                } catch {
                    Message.write("warning: nothing can be kept in \(storage.database.path(percentEncoded: false)).")
                    return nil
                }
            }
        }
    }
#endif
