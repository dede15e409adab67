import PouchDomain
import PouchEntities

/// A kangaroo of the city.
public struct DriverRecord: Sendable, Equatable {
    public let id: String
    public let name: String
    public let species: Species
    public let temper: Temper
    /// Tenths, 10...50.
    public let rating: Int
    /// Where it waits; while it has a ride, where it waited before.
    public let location: GeoPoint

    public init(id: String, name: String, species: Species, temper: Temper, rating: Int, location: GeoPoint) {
        self.id = id
        self.name = name
        self.species = species
        self.temper = temper
        self.rating = rating
        self.location = location
    }
}
