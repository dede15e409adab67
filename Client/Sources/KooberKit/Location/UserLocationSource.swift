import PouchEntities

/// Where the user is.
public protocol UserLocationSource: AnyObject, Sendable {
    /// May take some seconds.
    func userLocation() async throws(ErrorMessage) -> GeoPoint
}
