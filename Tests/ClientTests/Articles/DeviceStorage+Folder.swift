#if !canImport(Security)
    import Foundation
    import PouchClient

    extension DeviceStorage {
        /// A device that keeps everything in the folder.
        static func within(_ folder: TemporaryFolder, server: URL) -> DeviceStorage {
            DeviceStorage(
                server: server,
                environment: ["XDG_STATE_HOME": folder.url.path, "XDG_CACHE_HOME": folder.file("cache").path])
        }
    }
#endif
