import PouchEntities
import PouchTerminal

/// A map that shows a trip, and who comes.
struct CityMap: Sendable, Equatable {
    let pickup: GeoPoint
    var dropoff: GeoPoint?
    var driver: Ride.Driver?
    /// Where the driver was before.
    var trail: [GeoPoint] = []
    /// What was searched for, to be named before what everybody knows.
    var found: [NamedLocation] = []

    /// From the pick-up, as the crow flies.
    func metres(to point: GeoPoint) -> Double {
        MapProjection(showing: [pickup, point], columns: 1, rows: 1).metres(from: pickup, to: point)
    }

    func draw(on canvas: inout Canvas, in area: Area) {
        let (map, last) = area.split(top: area.height - 1)
        let projection = MapProjection(showing: shown, columns: map.width, rows: map.height)
        canvas.clipped(to: map) { canvas in
            for (spot, mark) in marks(projection) {
                canvas.write(mark, x: map.x + spot.column, y: map.y + spot.row)
            }
        }
        legend(projection, width: last.width).draw(on: &canvas, in: last)
    }

    /// The trail is in sight too, so that the map does not change its scale with each hop towards the pick-up.
    private var shown: [GeoPoint] {
        [pickup] + [dropoff, driver?.location].compactMap { $0 } + trail + found.map(\.location)
    }

    private static let pickupMark = StyledText("●", Style(.bold, foreground: .green))
    private static let dropoffMark = StyledText("◆", Style(.bold, foreground: .red))
    private static let driverMark = StyledText("K", Style([.bold, .reversed], foreground: .yellow))

    /// What stands where; what comes later covers what came before.
    private func marks(_ projection: MapProjection) -> [(MapProjection.Spot, StyledText)] {
        typealias Spot = MapProjection.Spot
        let way = dropoff.map { projection.line(from: pickup, to: $0) } ?? []
        let behind = zip(trail, trail.dropFirst()).flatMap { projection.line(from: $0, to: $1) }
        let ends = [
            (dropoff, Self.dropoffMark), (pickup, Self.pickupMark), (driver?.location, Self.driverMark),
        ].compactMap { point, mark in point.flatMap(projection.spot).map { ($0, mark) } }
        let lines =
            way.map { ($0, StyledText("·", .cyan)) } + behind.map { ($0, StyledText("∘", .yellow)) }
        var taken = Set((lines + ends).map(\.0))
        let names = (found + Landmarks.sydney).compactMap { place -> (Spot, StyledText)? in
            guard let spot = projection.spot(place.location), projection.contains(spot) else { return nil }
            let text = StyledText("+ \(place.name)", .dim)
            let spots = (-1...text.columns).map { Spot(column: spot.column + $0, row: spot.row) }
            guard spot.column + text.columns <= projection.columns, taken.isDisjoint(with: spots) else { return nil }
            taken.formUnion(spots)
            return (spot, text)
        }
        return names + lines + ends
    }

    private func legend(_ projection: MapProjection, width: Int) -> Row {
        var parts = [Self.pickupMark + " pick-up"]
        if dropoff != nil { parts.append(Self.dropoffMark + " drop-off") }
        if let driver { parts.append(Self.driverMark + " " + StyledText(driver.name)) }
        let text = parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
        return Row(" " + text, StyledText(ScaleBar(projection).text + " ", .dim))
    }
}
