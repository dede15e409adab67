import PouchEntities

/// Creates the model layer for the dependency containers, which retain shared objects.
///
/// The repositories of a session throw once it has ended.
public protocol KooberModelFactory: Sendable {
    func makeUserSessionDataStore() -> any UserSessionDataStore
    func makeAuthRemoteAPI() -> any AuthRemoteAPI
    func makeConnectivitySource() -> any ConnectivitySource
    func makeUserLocationSource() -> any UserLocationSource
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository
}
