import PouchEntities

public protocol DriverRepository {
    func driver(id: String) throws -> DriverRecord?
    /// Adds those whose ids are not there yet.
    func insert(_ drivers: [DriverRecord]) throws
    func count() throws -> Int
    /// Those of a species that wait in cells of the grid, in no order.
    func waiting(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord]
    /// The ids of all of a species that wait in cells of the grid, or waited there before the ride that they have.
    func ids(_ species: Species, in cells: [CityGrid.Cell]) throws -> [String]
    /// Gives the driver to the ride.
    ///
    /// - Returns: false, and nothing is written, when it has one.
    func claim(id: String, rideId: String) throws -> Bool
    /// The driver of the ride waits from now on where it is.
    func release(id: String, rideId: String, at location: GeoPoint) throws
}
