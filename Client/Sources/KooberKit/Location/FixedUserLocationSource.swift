import PouchEntities

/// Always at one place.
public final class FixedUserLocationSource: UserLocationSource {
    private let location: GeoPoint

    /// - Parameter location: Sydney unless told otherwise.
    public init(_ location: GeoPoint = GeoPoint(latitude: -33.8688, longitude: 151.2093)) {
        self.location = location
    }

    public func userLocation() -> GeoPoint { location }
}
