import PouchEntities

/// A stored driver: a kangaroo of the city.
public struct DriverRecord: Sendable, Equatable {
    public let id: String
    public let name: String
    public let species: Species
    public let temper: Temper
    /// The rating in tenths, 10...50.
    public let rating: Int
    /// The place where the driver waits, or waited before its ride.
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

public protocol DriverRepository {
    func driver(id: String) throws -> DriverRecord?
    /// Adds the drivers whose ids are not stored yet.
    func insert(_ drivers: [DriverRecord]) throws
    /// The number of drivers of all species, with or without a ride.
    func count() throws -> Int
    /// The drivers of a species that wait in cells of the grid, in any order.
    func waiting(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord]
    /// The drivers of a species that have a ride and waited in cells of the grid before it, in any order.
    func busy(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord]
    /// Assigns the driver to a ride.
    ///
    /// - Returns: false, without writing or locking, when the driver has a ride or another transaction is assigning
    ///   one.
    func claim(id: String, rideId: String) throws -> Bool
    /// Ends the ride of the driver, who then waits at the location.
    func release(id: String, rideId: String, at location: GeoPoint) throws
}

/// The character of a kangaroo. Its decisions depend only on the ids of ride and driver, so that every process makes
/// the same.
public enum Temper: String, Sendable, Codable, CaseIterable {
    /// Accepts every ride and completes it.
    case calm
    /// Declines one ride in four, and decides slowly.
    case moody
    /// Accepts nearly every ride immediately, and gives up one in five on the way.
    case jumpy

    /// The reaction time, and how many of a hundred rides are declined and given up.
    private var traits: (reaction: Double, declined: Int, givenUp: Int) {
        switch self {
        case .calm: (4, 0, 0)
        case .moody: (8, 25, 5)
        case .jumpy: (2, 5, 20)
        }
    }

    /// Seconds to answer an offer.
    package var reaction: Double { traits.reaction }

    package func accepts(rideId: String, driverId: String) -> Bool {
        Self.chance("accepts", rideId, driverId) >= traits.declined
    }

    /// - Returns: the fraction of the way to the pick-up at which the kangaroo turns back, above 0 and below 1; nil
    ///   when it arrives.
    package func givesUp(rideId: String, driverId: String) -> Double? {
        guard Self.chance("gives up", rideId, driverId) < traits.givenUp else { return nil }
        return Double(1 + Self.chance("turns back", rideId, driverId)) / 102
    }

    /// Returns a number from 0 to 99.
    private static func chance(_ question: String, _ rideId: String, _ driverId: String) -> Int {
        var hash = StableHash()
        hash.combine(question)
        hash.combine(rideId)
        hash.combine(driverId)
        // The low bits of FNV-1a differ too little for similar texts.
        return Int((hash.value ^ hash.value >> 32) % 100)
    }
}

/// The species that carry riders, smallest first.
public enum Species: String, Sendable, Codable, CaseIterable {
    case wallaby
    case wallaroo
    case kangaroo

    /// The number of riders.
    public var capacity: Int { traits.capacity }
    public var maxWeightGrams: Int { traits.maxWeightGrams }
    /// The speed in metres of street per second, including stops.
    public var pace: Double { traits.pace }

    private var traits: (capacity: Int, maxWeightGrams: Int, pace: Double) {
        switch self {
        case .wallaby: (1, 20_000, 8)
        case .wallaroo: (2, 60_000, 9)
        case .kangaroo: (4, 150_000, 10)
        }
    }
}
