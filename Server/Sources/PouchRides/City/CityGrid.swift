import Foundation
import PouchDomain
import PouchEntities

/// The spatial index: the world in squares of degrees, of two sizes. Near a point there are few, so whoever waits there is
/// found without looking at the others.
public enum CityGrid {
    /// The size of squares.
    public enum Level: Int, Sendable, CaseIterable {
        /// 0.01°, 1.1 km from south to north.
        case near
        /// 0.08°
        case far

        var degrees: Double {
            switch self {
            case .near: 0.01
            case .far: 0.08
            }
        }
    }

    /// A square of the grid.
    public struct Cell: Sendable, Hashable {
        public let level: Level
        /// Unique among those of the level.
        public let number: Int64
    }

    /// Metres of a degree from south to north, on a sphere with the mean radius of the earth (6,371,008.8 m).
    static let metresPerDegree = 111_195.08
    /// More cells than these are never asked for; towards the poles some that lie in reach are left out.
    private static let mostRings = 8

    /// The cell that a point lies in; what lies on an edge belongs to the cell north or east of it.
    ///
    /// - Precondition: its coordinates are finite.
    public static func cell(of point: GeoPoint, _ level: Level) -> Cell {
        cell(row: row(point, level), column: column(point, level), level)
    }

    /// The cells within so many rings around that of the point: 0 is its own alone, 1 the eight around it too.
    static func cells(around point: GeoPoint, rings: Int, _ level: Level) -> [Cell] {
        let (row, column) = (row(point, level), column(point, level))
        return (row - rings...row + rings).flatMap { row in
            (column - rings...column + rings).map { cell(row: row, column: $0, level) }
        }
    }

    /// So many metres around the point there is nothing outside of those rings.
    static func certainDistance(around point: GeoPoint, rings: Int, _ level: Level) -> Double {
        // Columns are narrowest in the ring furthest from the equator.
        let latitude = min(90, abs(point.latitude) + Double(rings + 1) * level.degrees)
        return Double(rings) * level.degrees * metresPerDegree * max(0, cos(latitude * .pi / 180))
    }

    /// So many rings are needed for everything within the distance.
    static func rings(around point: GeoPoint, metres: Double, _ level: Level) -> Int {
        (0..<mostRings).first { certainDistance(around: point, rings: $0, level) >= metres } ?? mostRings
    }

    private static func row(_ point: GeoPoint, _ level: Level) -> Int {
        Int(((point.latitude + 90) / level.degrees).rounded(.down))
    }

    private static func column(_ point: GeoPoint, _ level: Level) -> Int {
        Int(((point.longitude + 180) / level.degrees).rounded(.down))
    }

    /// East of the last column is the first again.
    private static func cell(row: Int, column: Int, _ level: Level) -> Cell {
        let columns = Int((360 / level.degrees).rounded())
        let wrapped = (column % columns + columns) % columns
        return Cell(level: level, number: Int64(row) * 1_000_000 + Int64(wrapped))
    }
}
