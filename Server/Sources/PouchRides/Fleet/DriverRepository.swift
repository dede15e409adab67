import PouchDomain
import PouchEntities

/// The kangaroos of the city.
public protocol DriverRepository {
    func driver(id: String) throws -> DriverRecord?
    /// Adds those whose ids are not there yet.
    func insert(_ drivers: [DriverRecord]) throws
    /// Of all species, with a ride or without.
    func count() throws -> Int
    /// Those of a species that wait in cells of the grid, in no order.
    func waiting(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord]
    /// Those of a species that have a ride, and waited in cells of the grid before it, in no order.
    func busy(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord]
    /// Gives the driver to the ride.
    ///
    /// - Returns: false, and nothing is written or locked, when it has one or another transaction is about to give it
    ///   one.
    func claim(id: String, rideId: String) throws -> Bool
    /// The driver of the ride waits from now on where it is.
    func release(id: String, rideId: String, at location: GeoPoint) throws
}
