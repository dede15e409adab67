import Foundation
import PouchEntities

/// Projects places onto a drawing of fixed size, north at the top, with one scale in both directions.
///
/// The earth is treated as flat, with the distance between meridians in the middle of the map, which is accurate enough
/// for a city and its surroundings.
struct MapProjection: Sendable {
    struct Spot: Hashable, Sendable {
        let x: Double
        let y: Double
    }

    /// In units of the drawing.
    static let (width, height) = (800.0, 600.0)
    private static let margin = 90.0
    private static let metresPerDegree = 6_371_008.8 * Double.pi / 180
    /// The minimum width of the map, in metres.
    private static let minWidth = 8_000.0

    let metresPerUnit: Double
    private let middle: GeoPoint
    private let metresPerDegreeEast: Double

    /// Chooses the scale that shows all points with a margin. Invalid points are ignored.
    init(showing points: [GeoPoint]) {
        let points = points.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }
        let (latitudes, longitudes) = (points.map(\.latitude), points.map(\.longitude))
        let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
        middle = GeoPoint(latitude: (south + north) / 2, longitude: (west + east) / 2)
        // At the poles the scale would be zero.
        metresPerDegreeEast = Self.metresPerDegree * max(0.01, cos(middle.latitude * .pi / 180))
        metresPerUnit = max(
            (east - west) * metresPerDegreeEast / (Self.width - 2 * Self.margin),
            (north - south) * Self.metresPerDegree / (Self.height - 2 * Self.margin), Self.minWidth / Self.width)
    }

    /// The result may be outside the edges. Returns nil for an invalid point.
    func spot(_ point: GeoPoint) -> Spot? {
        let east = (point.longitude - middle.longitude) * metresPerDegreeEast / metresPerUnit
        let north = (point.latitude - middle.latitude) * Self.metresPerDegree / metresPerUnit
        guard abs(east) < 1e6, abs(north) < 1e6 else { return nil }
        return Spot(x: Self.width / 2 + east, y: Self.height / 2 - north)
    }

    func contains(_ spot: Spot) -> Bool {
        (0...Self.width).contains(spot.x) && (0...Self.height).contains(spot.y)
    }

    /// A round distance that is drawn to scale: the longest of 1, 2 and 5 times a power of ten that fits.
    var scaleBar: (metres: Double, length: Double) {
        let room = metresPerUnit * 160
        let power = pow(10, floor(log10(room)))
        let metres = [5, 2, 1].map { $0 * power }.first { $0 <= room } ?? power
        return (metres, metres / metresPerUnit)
    }
}

extension MapProjection.Spot {
    /// As SVG writes it, exact to a tenth of a unit.
    var text: String { "\(Self.number(x)) \(Self.number(y))" }

    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : String(Double(tenths) / 10)
    }
}
