import KooberScreens
import KooberTexts
import PouchEntities

/// Projects places onto a rectangle of cells, north at the top, with one scale in both directions although a cell is
/// twice as high as wide.
struct MapProjection: Sendable {
    struct Spot: Hashable, Sendable {
        let column: Int
        let row: Int
    }

    /// The minimum width of the map, in metres.
    private static let minWidth = 8_000.0
    /// In widths of a cell.
    private static let cellHeight = 2.0

    let columns: Int
    let rows: Int
    let metresPerColumn: Double
    private let area: MapArea

    /// Chooses the scale that shows all points with a margin.
    ///
    /// - Parameter points: see `MapArea`.
    init(showing points: [GeoPoint], columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        area = MapArea(showing: points)
        let marginColumns = max(2, self.columns / 10)
        let marginRows = self.rows < 8 ? 0 : max(1, self.rows / 10)
        let width = Double(max(1, self.columns - 1 - 2 * marginColumns))
        let height = Double(max(1, self.rows - 1 - 2 * marginRows)) * Self.cellHeight
        metresPerColumn = max(area.width / width, area.height / height, Self.minWidth / Double(self.columns))
    }

    /// The result may be outside the edges. Returns nil for an invalid point.
    func spot(_ point: GeoPoint) -> Spot? {
        let (east, north) = area.offset(of: point)
        let column = Double(columns - 1) / 2 + east / metresPerColumn
        let row = Double(rows - 1) / 2 - north / metresPerColumn / Self.cellHeight
        guard abs(column) < 1e6, abs(row) < 1e6 else { return nil }
        return Spot(column: Int(column.rounded()), row: Int(row.rounded()))
    }

    /// The cells of a straight line from one end to the other.
    func line(from start: GeoPoint, to end: GeoPoint) -> [Spot] {
        guard let start = spot(start), let end = spot(end) else { return [] }
        let (width, height) = (end.column - start.column, end.row - start.row)
        let steps = max(abs(width), abs(height))
        // A line this long is almost completely outside the edges.
        guard (1...10_000).contains(steps) else { return [start] }
        return (0...steps).map { step in
            let fraction = Double(step) / Double(steps)
            return Spot(
                column: start.column + Int((Double(width) * fraction).rounded()),
                row: start.row + Int((Double(height) * fraction).rounded()))
        }
    }

    func contains(_ spot: Spot) -> Bool { (0..<columns).contains(spot.column) && (0..<rows).contains(spot.row) }
}

/// A round distance, drawn to the scale of the map.
struct ScaleBar: Sendable {
    /// In columns.
    private static let longest = 8

    let columns: Int
    let metres: Double

    init(_ projection: MapProjection) {
        metres = MapArea.scaleLength(within: projection.metresPerColumn * Double(Self.longest))
        columns = max(2, Int((metres / projection.metresPerColumn).rounded()))
    }

    func text(_ language: Language) -> String {
        "├" + String(repeating: "─", count: columns - 2) + "┤ " + language.text(.distance(metres))
    }
}
