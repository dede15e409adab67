import Foundation
import PouchEntities

/// Where places on the earth lie on a rectangle of cells: north at the top, one scale in both directions although a cell is
/// twice as high as wide.
///
/// Taken as flat, with the meridians as far apart everywhere as in the middle: for a city and what surrounds it.
struct MapProjection: Sendable {
    struct Spot: Hashable, Sendable {
        let column: Int
        let row: Int
    }

    private static let metresPerDegree = 6_371_008.8 * Double.pi / 180
    /// Shown from edge to edge at least, in metres.
    private static let leastWidth = 8_000.0
    /// How high a cell is, in widths.
    private static let cellHeight = 2.0

    let columns: Int
    let rows: Int
    let metresPerColumn: Double
    private let middle: GeoPoint
    private let metresPerDegreeEast: Double

    /// As large as shows all points with a margin.
    ///
    /// - Parameter points: the first decides around which meridian it lies. Those that are no place on earth do not count.
    init(showing points: [GeoPoint], columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        let points = points.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 360 }
        let first = points.first ?? GeoPoint(latitude: 0, longitude: 0)
        let latitudes = points.map(\.latitude)
        let longitudes = points.map { first.longitude + ($0.longitude - first.longitude).remainder(dividingBy: 360) }
        let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
        middle = GeoPoint(latitude: (south + north) / 2, longitude: (west + east) / 2)
        // Towards the poles there would be no scale at all.
        metresPerDegreeEast = Self.metresPerDegree * max(0.01, cos(middle.latitude * .pi / 180))
        let marginColumns = max(2, self.columns / 10)
        let marginRows = self.rows < 8 ? 0 : max(1, self.rows / 10)
        let width = Double(max(1, self.columns - 1 - 2 * marginColumns))
        let height = Double(max(1, self.rows - 1 - 2 * marginRows)) * Self.cellHeight
        metresPerColumn = max(
            (east - west) * metresPerDegreeEast / width, (north - south) * Self.metresPerDegree / height,
            Self.leastWidth / Double(self.columns))
    }

    /// It may lie beyond the edges; nil for what is no place on earth.
    func spot(_ point: GeoPoint) -> Spot? {
        let (east, north) = offset(point, from: middle)
        let column = Double(columns - 1) / 2 + east / metresPerColumn
        let row = Double(rows - 1) / 2 - north / metresPerColumn / Self.cellHeight
        guard abs(column) < 1e6, abs(row) < 1e6 else { return nil }
        return Spot(column: Int(column.rounded()), row: Int(row.rounded()))
    }

    /// All that a straight line touches, from one end to the other.
    func line(from start: GeoPoint, to end: GeoPoint) -> [Spot] {
        guard let start = spot(start), let end = spot(end) else { return [] }
        let (width, height) = (end.column - start.column, end.row - start.row)
        let steps = max(abs(width), abs(height))
        // What lies so far beyond the edges is no line that anybody would see.
        guard (1...10_000).contains(steps) else { return [start] }
        return (0...steps).map { step in
            let fraction = Double(step) / Double(steps)
            return Spot(
                column: start.column + Int((Double(width) * fraction).rounded()),
                row: start.row + Int((Double(height) * fraction).rounded()))
        }
    }

    func contains(_ spot: Spot) -> Bool { (0..<columns).contains(spot.column) && (0..<rows).contains(spot.row) }

    /// As the crow flies.
    func metres(from start: GeoPoint, to end: GeoPoint) -> Double {
        let (east, north) = offset(end, from: start)
        return hypot(east, north)
    }

    private func offset(_ point: GeoPoint, from origin: GeoPoint) -> (east: Double, north: Double) {
        (
            (point.longitude - origin.longitude).remainder(dividingBy: 360) * metresPerDegreeEast,
            (point.latitude - origin.latitude) * Self.metresPerDegree
        )
    }
}
