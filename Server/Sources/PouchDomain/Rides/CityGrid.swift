import Foundation
import PouchEntities

/// A spatial index: a grid of squares of latitude and longitude in two sizes. The cells around a point hold few
/// drivers.
public enum CityGrid {
    /// The size of cells.
    public enum Level: Int, Sendable, CaseIterable {
        /// 0.01°, 1.1 km from south to north.
        case near
        /// 0.08°.
        case far

        var degrees: Double { self == .near ? 0.01 : 0.08 }
    }

    public struct Cell: Sendable, Hashable {
        public let level: Level
        /// Unique within the level.
        public let number: Int64
    }

    /// The metres of a degree from south to north, on a sphere with the mean radius of the earth (6,371,008.8 m).
    package static let metresPerDegree = 111_195.08
    /// The maximum number of rings in one search; near the poles, some cells within reach are missed.
    private static let maxRings = 8

    /// The cell of a point; an edge belongs to the cell north or east of it.
    ///
    /// - Precondition: the coordinates are finite.
    public static func cell(of point: GeoPoint, _ level: Level) -> Cell {
        cell(row: row(point, level), column: column(point, level), level)
    }

    /// The cells within a number of rings around the cell of a point: 0 rings are the cell itself, 1 adds the eight
    /// around it.
    package static func cells(around point: GeoPoint, rings: Int, _ level: Level) -> [Cell] {
        let (row, column) = (row(point, level), column(point, level))
        return (row - rings...row + rings).flatMap { row in
            (column - rings...column + rings).map { cell(row: row, column: $0, level) }
        }
    }

    /// The distance in metres within which those rings contain everything.
    package static func certainDistance(around point: GeoPoint, rings: Int, _ level: Level) -> Double {
        // Columns are narrowest in the ring furthest from the equator.
        let latitude = min(90, abs(point.latitude) + Double(rings + 1) * level.degrees)
        return Double(rings) * level.degrees * metresPerDegree * max(0, cos(latitude * .pi / 180))
    }

    /// The number of rings that contain everything within the distance.
    package static func rings(around point: GeoPoint, metres: Double, _ level: Level) -> Int {
        (0..<maxRings).first { certainDistance(around: point, rings: $0, level) >= metres } ?? maxRings
    }

    private static func row(_ point: GeoPoint, _ level: Level) -> Int {
        Int(((point.latitude + 90) / level.degrees).rounded(.down))
    }

    private static func column(_ point: GeoPoint, _ level: Level) -> Int {
        Int(((point.longitude + 180) / level.degrees).rounded(.down))
    }

    /// Wraps around: east of the last column is the first.
    private static func cell(row: Int, column: Int, _ level: Level) -> Cell {
        let columns = Int((360 / level.degrees).rounded())
        let wrapped = (column % columns + columns) % columns
        return Cell(level: level, number: Int64(row) * 1_000_000 + Int64(wrapped))
    }
}
