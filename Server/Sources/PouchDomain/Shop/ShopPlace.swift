import PouchEntities

/// Where a shop is, and what it sends away from there.
public struct ShopPlace: Sendable, Equatable {
    public let name: String
    public let location: GeoPoint

    public init(name: String, location: GeoPoint) {
        self.name = name
        self.location = location
    }
}
