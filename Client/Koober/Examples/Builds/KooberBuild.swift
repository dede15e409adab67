import Foundation
import KooberClient
import KooberKit
import PouchClient
import PouchEntities
import PouchTesting

/// Koober's model layer, chosen by the compilation conditions of the build:
///
/// | Condition | Remote API | Session |
/// |---|---|---|
/// | none | the server | the Keychain; a file on systems without one |
/// | `USER_SESSION_DATASTORE_FILEBASED` | the server | a file |
/// | `KOOBER_TEST` | a fake in this process | memory |
///
/// The rest of the app cannot tell which model it uses, and has no conditions. A build sets them for all of its
/// modules, for example `swift build -Xswiftc -DKOOBER_TEST`.
///
/// A condition is for code that a build must not contain or run: a test build cannot reach a server, even by mistake. A
/// choice within one program is made at run time, as with `koober --session-store`.
public struct KooberBuild: Sendable {
    public let model: KooberModel

    #if KOOBER_TEST
        /// The fake that answers instead of the server.
        public let remoteAPI: TestShop

        /// - Parameters:
        ///   - server: the server, which is not contacted.
        ///   - storage: the storage, which remains empty.
        public init(server: URL, storage: DeviceStorage) {
            remoteAPI = Self.makeFakeRemoteAPI()
            model = KooberModel(
                server: server, transport: remoteAPI,
                userSessionDataStore: UserSessionDataStoreChoice.memory.makeDataStore(in: storage))
        }
    #else
        public init(server: URL, storage: DeviceStorage) {
            model = KooberModel(
                server: server, userSessionDataStore: UserSessionDataStoreChoice.standard.makeDataStore(in: storage))
        }
    #endif
}

#if KOOBER_TEST
    extension KooberBuild {
        /// A service without products and accounts. Only the outermost layer is a fake; everything else runs as in the
        /// app: repositories, managers, renewal of tokens, encoding.
        private static func makeFakeRemoteAPI() -> TestShop {
            let shop = TestShop(products: [])
            shop.change { world in
                world.places = [
                    .sample(name: "Bondi Beach", latitude: -33.8915, longitude: 151.2767),
                    .sample(name: "Manly", latitude: -33.7969, longitude: 151.2840),
                    .sample(name: "Opera House", latitude: -33.8568, longitude: 151.2153),
                ]
                world.rideOptions = ["Wallaby", "Wallaroo", "Kangaroo"].map {
                    .sample(id: $0.lowercased(), name: $0)
                }
            }
            return shop
        }
    }
#endif
