import Foundation
import KooberTexts
import PouchEntities

/// A place as a list or a map shows it.
public struct DisplayablePlace: Codable, Hashable, Sendable {
    public let name: Phrase
    /// The distance over the globe from the pick-up; nil for the pick-up itself.
    public let distance: Phrase?
    /// The sentence that names it as the destination; nil for a place that was not chosen by name.
    public let goal: Phrase?
    public let location: GeoPoint

    public init(_ place: NamedLocation, from pickupLocation: GeoPoint) {
        name = .verbatim(place.name)
        let metres = pickupLocation.distance(to: place.location)
        distance = .distance(metres)
        goal = .to(place.name, metres: metres)
        location = place.location
    }

    /// Names a place of which only the location is known after the nearest landmark.
    public init(at location: GeoPoint) {
        name = Landmarks.name(of: location)
        distance = nil
        goal = nil
        self.location = location
    }
}

/// Well-known places for orientation.
public enum Landmarks {
    /// In metres. A location this close to a landmark has its name; a bit farther away, it is near it.
    private static let (same, near) = (60.0, 3_000.0)

    static func name(of location: GeoPoint) -> Phrase {
        let distances = sydney.map { (name: $0.name, metres: location.distance(to: $0.location)) }
        guard let closest = distances.min(by: { $0.metres < $1.metres }), closest.metres < near else {
            return .coordinates(location)
        }
        return closest.metres < same ? .verbatim(closest.name) : .near(closest.name)
    }

    /// The landmarks, best known first.
    public static let sydney: [NamedLocation] = [
        ("Sydney Opera House", -33.8568, 151.2153), ("Bondi Beach", -33.8908, 151.2743),
        ("Parramatta", -33.8174, 151.0052), ("Manly Beach", -33.7970, 151.2885),
        ("Sydney Airport", -33.9399, 151.1753), ("Katoomba", -33.7117, 150.3109), ("Gosford", -33.4235, 151.3412),
        ("Palm Beach", -33.5990, 151.3235), ("Cronulla", -34.0558, 151.1515), ("Penrith", -33.7500, 150.6963),
        ("Campbelltown", -34.0638, 150.8143), ("Hornsby", -33.7029, 151.0985), ("Liverpool", -33.9250, 150.9271),
        ("Central Station", -33.8835, 151.2063), ("Newtown", -33.8979, 151.1796), ("Chatswood", -33.7977, 151.1809),
        ("Olympic Park", -33.8466, 151.0693), ("Coogee Beach", -33.9205, 151.2577), ("Mosman", -33.8291, 151.2441),
        ("La Perouse", -33.9885, 151.2320), ("Hurstville", -33.9674, 151.1024), ("Balmain", -33.8574, 151.1790),
        ("Double Bay", -33.8785, 151.2430), ("Dee Why Beach", -33.7535, 151.2962), ("Lane Cove", -33.8147, 151.1690),
        ("Circular Quay", -33.8614, 151.2108), ("Hyde Park", -33.8730, 151.2114),
        ("Darling Harbour", -33.8733, 151.2000), ("Kirribilli", -33.8470, 151.2150),
        ("Centennial Park", -33.8975, 151.2339),
    ].map { NamedLocation(name: $0, location: GeoPoint(latitude: $1, longitude: $2)) }
}

/// The area of a map that shows some points.
///
/// The earth is treated as flat, with the distance between meridians in the middle of the area, which is accurate
/// enough for a city and its surroundings.
public struct MapArea: Sendable {
    private static let metresPerDegree = GeoPoint(latitude: 0, longitude: 0)
        .distance(to: GeoPoint(latitude: 1, longitude: 0))

    /// In metres.
    public let width: Double
    /// In metres.
    public let height: Double
    private let middle: GeoPoint
    private let metresPerDegreeEast: Double

    /// - Parameter points: the first determines on which side of the 180th meridian the area is. Invalid points are
    ///   ignored.
    public init(showing points: [GeoPoint]) {
        let points = points.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 360 }
        let first = points.first ?? GeoPoint(latitude: 0, longitude: 0)
        let latitudes = points.map(\.latitude)
        let longitudes = points.map { first.longitude + ($0.longitude - first.longitude).remainder(dividingBy: 360) }
        let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
        middle = GeoPoint(latitude: (south + north) / 2, longitude: (west + east) / 2)
        // At the poles the scale would be zero.
        metresPerDegreeEast = Self.metresPerDegree * max(0.01, cos(middle.latitude * .pi / 180))
        width = (east - west) * metresPerDegreeEast
        height = (north - south) * Self.metresPerDegree
    }

    /// The position of a point in metres from the middle of the area, on the shorter way around the earth.
    public func offset(of point: GeoPoint) -> (east: Double, north: Double) {
        (
            (point.longitude - middle.longitude).remainder(dividingBy: 360) * metresPerDegreeEast,
            (point.latitude - middle.latitude) * Self.metresPerDegree
        )
    }

    /// The round length to which a scale is drawn: the longest of 1, 2 and 5 times a power of ten that fits.
    ///
    /// - Parameter room: in metres.
    public static func scaleLength(within room: Double) -> Double {
        let power = pow(10, floor(log10(room)))
        return [5, 2, 1].map { $0 * power }.first { $0 <= room } ?? power
    }
}
