import Foundation
import KooberKit
import PouchClient
import PouchEntities
import PouchManagers

/// Koober's model layer over a Pouch server, with one user at a time.
///
///     let model = KooberModel(
///         server: URL(string: "https://shop.example")!,
///         userSessionDataStore: UserSessionDataStoreChoice.standard.makeDataStore(in: storage))
///     let app = MVVMApp(model: model)
public final class KooberModel: KooberModelFactory {
    private let client: Pouch
    private let userSessionDataStore: any UserSessionDataStore
    private let sessionStore: DataStoreSessionStore
    private let userLocationSource: any UserLocationSource

    /// - Parameters:
    ///   - server: scheme, host and port, and the path prefix if there is one.
    ///   - userSessionDataStore: the only store of the session. The SDK reads it, and the app writes it.
    ///   - store: stores unanswered ride requests beyond the process. Without one, they are held in memory.
    public init(
        server: URL,
        transport: any Transport = StandardTransport(),
        userSessionDataStore: any UserSessionDataStore,
        userLocationSource: any UserLocationSource = FixedUserLocationSource(),
        store: (any LocalStore)? = nil
    ) {
        sessionStore = DataStoreSessionStore(userSessionDataStore)
        client = Pouch(server: server, transport: transport, sessionStore: sessionStore, store: store)
        self.userSessionDataStore = userSessionDataStore
        self.userLocationSource = userLocationSource
    }

    public func makeUserSessionDataStore() -> any UserSessionDataStore { userSessionDataStore }

    public func makeAuthRemoteAPI() -> any AuthRemoteAPI {
        PouchAuthRemoteAPI(account: client.account, setRenewalWriter: sessionStore.setRenewalWriter)
    }

    public func makeConnectivitySource() -> any ConnectivitySource {
        PouchConnectivitySource(connection: client.connection)
    }

    public func makeUserLocationSource() -> any UserLocationSource { userLocationSource }

    public func makeLocationRepository(for userSession: UserSession) -> any LocationRepository {
        KooberLocationRepository(locations: client.locations, account: client.account, userSession: userSession)
    }

    public func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository {
        KooberRideOptionRepository(rides: client.rides, account: client.account, userSession: userSession)
    }

    public func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository {
        KooberNewRideRepository(rides: client.rides, account: client.account, userSession: userSession)
    }
}
