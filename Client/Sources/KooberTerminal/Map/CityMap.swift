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
            for mark in marks(projection) {
                canvas.write(mark.text, x: map.x + mark.spot.column, y: map.y + mark.spot.row)
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
    private func marks(_ projection: MapProjection) -> [Mark] {
        let way = dropoff.map { projection.line(from: pickup, to: $0) } ?? []
        let behind = zip(trail, trail.dropFirst()).flatMap { projection.line(from: $0, to: $1) }
        let lines =
            way.map { Mark($0, StyledText("·", .cyan)) } + behind.map { Mark($0, StyledText("∘", .yellow)) }
        let ends = [
            (dropoff, Self.dropoffMark), (pickup, Self.pickupMark), (driver?.location, Self.driverMark),
        ].compactMap { point, text in point.flatMap(projection.spot).map { Mark($0, text) } }
        return names(projection, around: lines + ends) + lines + ends
    }

    /// On the right of their places or, where there is no room, on the left.
    private func names(_ projection: MapProjection, around marks: [Mark]) -> [Mark] {
        var taken = Set(marks.map(\.spot))
        var names: [Mark] = []
        for place in found + Landmarks.sydney {
            guard let spot = projection.spot(place.location), projection.contains(spot) else { continue }
            let left = StyledText("\(place.name) +", .dim)
            let start = MapProjection.Spot(column: spot.column + 1 - left.columns, row: spot.row)
            let name = [Mark(spot, StyledText("+ \(place.name)", .dim)), Mark(start, left)].first { name in
                name.spots.allSatisfy { projection.contains($0) && !taken.contains($0) }
            }
            guard let name else { continue }
            names.append(name)
            taken.formUnion(name.spots)
        }
        return names
    }

    private struct Mark {
        let spot: MapProjection.Spot
        let text: StyledText

        init(_ spot: MapProjection.Spot, _ text: StyledText) {
            self.spot = spot
            self.text = text
        }

        var spots: [MapProjection.Spot] {
            (0..<text.columns).map { MapProjection.Spot(column: spot.column + $0, row: spot.row) }
        }
    }

    private func legend(_ projection: MapProjection, width: Int) -> Row {
        var parts = [Self.pickupMark + " pick-up"]
        if dropoff != nil { parts.append(Self.dropoffMark + " drop-off") }
        if let driver { parts.append(Self.driverMark + " " + StyledText(driver.name)) }
        let text = parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
        return Row(" " + text, StyledText(ScaleBar(projection).text + " ", .dim))
    }
}
