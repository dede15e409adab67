/// A place on earth, in degrees (WGS 84).
public struct GeoPoint: Codable, Sendable, Hashable {
    /// -90...90
    public let latitude: Double
    /// -180...180
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
