#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchPersistence

    extension Shop {
        /// A client that keeps catalogue, cart and orders on this device, so that there is something to see, and the cart can
        /// be changed, while the server cannot be reached. Where they cannot be kept, it says so and goes on without.
        func clientWithStore() async -> PouchClient {
            let storage = DeviceStorage(server: server)
            return PouchClient(
                server: server, sessionStore: storage.sessionStore, store: await store(at: storage.database),
                cache: storage.cache, reportRow: { [warnings] in warnings.warn(of: $0) })
        }

        private func store(at file: URL) async -> SQLiteStore? {
            do throws(StoreError) {
                let store = try await SQLiteStore.open(at: file)
                if let setAside = store.setAside {
                    warnings.warn("what was kept on this device could not be read; it is now \(setAside.movedTo.path)")
                }
                return store
            } catch {
                warnings.warn("nothing is kept on this device: \(error)")
                return nil
            }
        }
    }
#endif
