import Foundation
import KooberKit
import PouchClient
import PouchEntities
import PouchManagers

/// Koober's model layer over a Pouch server, for one person at a time.
public final class KooberModel: KooberModelFactory {
    private let client: PouchClient
    private let userSessionDataStore: any UserSessionDataStore
    private let userLocationSource: any UserLocationSource

    /// - Parameters:
    ///   - server: scheme, host and port, and the path under which the server stands, if any.
    ///   - userSessionDataStore: the one place where the session is kept, of Koober and the SDK below.
    ///   - store: where requests for rides outlive the process until they are answered; without one they are kept in memory.
    public init(
        server: URL,
        transport: any Transport = URLSessionTransport(),
        userSessionDataStore: any UserSessionDataStore,
        userLocationSource: any UserLocationSource = FixedUserLocationSource(),
        store: (any LocalStore)? = nil
    ) {
        client = PouchClient(
            server: server, transport: transport, sessionStore: DataStoreSessionStore(userSessionDataStore),
            store: store)
        self.userSessionDataStore = userSessionDataStore
        self.userLocationSource = userLocationSource
    }

    public func makeUserSessionDataStore() -> any UserSessionDataStore { userSessionDataStore }

    public func makeUserSessionRepository(dataStore: any UserSessionDataStore) -> any UserSessionRepository {
        KooberUserSessionRepository(dataStore: dataStore, remoteAPI: PouchAuthRemoteAPI(account: client.account))
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
