import KooberTexts
import PouchEntities
import PouchManagers

/// The user's location.
public protocol UserLocationSource: AnyObject, Sendable {
    /// May take some seconds.
    func userLocation() async throws(ErrorMessage) -> GeoPoint
}

public final class FixedUserLocationSource: UserLocationSource {
    private let location: GeoPoint

    /// - Parameter location: Sydney by default.
    public init(_ location: GeoPoint = GeoPoint(latitude: -33.8688, longitude: 151.2093)) {
        self.location = location
    }

    public func userLocation() -> GeoPoint { location }
}

/// The search for places by name.
public protocol LocationRepository: AnyObject, Sendable {
    /// Returns the best match first. An empty query returns the nearest places.
    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
}

/// The places of the service. The manager answers recent searches from memory.
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
        try await scope.perform(.placesNotFound) { () throws(DataError) in
            try await locations.places(matching: query, near: pickupLocation)
        }
    }
}
