import PouchEntities

/// Places by name.
public protocol LocationRepository: AnyObject, Sendable {
    /// The best match first; without a text the nearest places.
    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
}
