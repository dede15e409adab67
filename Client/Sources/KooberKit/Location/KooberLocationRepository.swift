import PouchEntities
import PouchManagers

/// The places that the service knows; those of the last searches come from the manager's memory.
public final class KooberLocationRepository: LocationRepository {
    private let locations: LocationManager
    private let scope: SessionScope

    public init(locations: LocationManager, account: AccountManager, userSession: UserSession) {
        self.locations = locations
        scope = SessionScope(userSession: userSession, account: account)
    }

    public func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    {
        try await scope.perform("Places could not be looked up") { () throws(DataError) in
            try await locations.places(matching: query, near: pickupLocation)
        }
    }
}
