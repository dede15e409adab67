/// A place that people know by its name.
public struct NamedLocation: Codable, Sendable, Hashable {
    public let name: String
    public let location: GeoPoint

    public init(name: String, location: GeoPoint) {
        self.name = name
        self.location = location
    }
}
