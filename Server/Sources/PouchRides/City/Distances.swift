import Foundation
import PouchDomain
import PouchEntities

/// Distances and travel times in the city.
struct CityStreets: Sendable {
    /// The ratio of street length to air distance in real towns.
    private static let detour = 1.3

    private let speed: Double

    init(_ settings: CitySettings) {
        speed = settings.speed
    }

    static func metres(from start: GeoPoint, to end: GeoPoint) -> Int {
        Int((start.distance(to: end) * detour).rounded())
    }

    func travelTime(from start: GeoPoint, to end: GeoPoint, by species: Species) -> TimeInterval {
        seconds(Double(Self.metres(from: start, to: end)) / species.pace)
    }

    /// The time in the city for a number of real seconds.
    func seconds(_ seconds: Double) -> TimeInterval { seconds / speed }
}
