/// From where to where.
public struct RideWaypoints: Codable, Sendable, Hashable {
    public let pickupLocation: GeoPoint
    public let dropoffLocation: GeoPoint

    public init(pickupLocation: GeoPoint, dropoffLocation: GeoPoint) {
        self.pickupLocation = pickupLocation
        self.dropoffLocation = dropoffLocation
    }
}
