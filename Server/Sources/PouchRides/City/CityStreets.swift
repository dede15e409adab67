import Foundation
import PouchDomain
import PouchEntities

/// How far it is and how long it takes in the city.
struct CityStreets: Sendable {
    /// Streets are longer than the air line, by about as much as in towns of the real world.
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

    /// What takes so many seconds in life.
    func seconds(_ seconds: Double) -> TimeInterval { seconds / speed }
}
