import PouchDomain
import PouchEntities

/// What can be decided about the simulated city, which is Sydney.
public struct CitySettings: Sendable, Equatable {
    private static let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)

    /// Whether a place is where kangaroos live: within 60 km of the centre.
    static func covers(_ point: GeoPoint) -> Bool { centre.distance(to: point) <= 60_000 }

    public static let speeds = 1.0...100_000.0
    public static let fleets = 0...10_000

    /// How many times faster than in life kangaroos hop and make up their minds.
    public var speed: Double
    /// How many kangaroos of each species the city has at least.
    public var kangaroosOfEachSpecies: Int

    public init(speed: Double = 1, kangaroosOfEachSpecies: Int = 30) {
        self.speed = speed
        self.kangaroosOfEachSpecies = kangaroosOfEachSpecies
    }
}
