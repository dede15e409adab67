import PouchEntities

/// Makes the model layer, for the dependency containers: what of it has to be shared, they keep.
public protocol KooberModelFactory: Sendable {
    func makeUserSessionDataStore() -> any UserSessionDataStore
    func makeUserSessionRepository(dataStore: any UserSessionDataStore) -> any UserSessionRepository
    func makeUserLocationSource() -> any UserLocationSource
    /// For one user each; they answer nothing once the session has ended.
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository
}
