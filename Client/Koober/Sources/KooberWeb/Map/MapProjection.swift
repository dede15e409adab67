import KooberScreens
import PouchEntities

/// Projects places onto a drawing of fixed size, north at the top, with one scale in both directions.
struct MapProjection: Sendable {
    struct Spot: Hashable, Sendable {
        let x: Double
        let y: Double
    }

    /// In units of the drawing.
    static let (width, height) = (800.0, 600.0)
    private static let margin = 90.0
    /// The minimum width of the map, in metres.
    private static let minWidth = 8_000.0

    let metresPerUnit: Double
    private let area: MapArea

    /// Chooses the scale that shows all points with a margin.
    ///
    /// - Parameter points: see `MapArea`.
    init(showing points: [GeoPoint]) {
        area = MapArea(showing: points)
        metresPerUnit = max(
            area.width / (Self.width - 2 * Self.margin), area.height / (Self.height - 2 * Self.margin),
            Self.minWidth / Self.width)
    }

    /// The result may be outside the edges. Returns nil for an invalid point.
    func spot(_ point: GeoPoint) -> Spot? {
        let offset = area.offset(of: point)
        let (east, north) = (offset.east / metresPerUnit, offset.north / metresPerUnit)
        guard abs(east) < 1e6, abs(north) < 1e6 else { return nil }
        return Spot(x: Self.width / 2 + east, y: Self.height / 2 - north)
    }

    func contains(_ spot: Spot) -> Bool {
        (0...Self.width).contains(spot.x) && (0...Self.height).contains(spot.y)
    }

    /// A round distance that is drawn to scale.
    var scaleBar: (metres: Double, length: Double) {
        let metres = MapArea.scaleLength(within: metresPerUnit * 160)
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
