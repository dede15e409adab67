import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

/// A map with a trip and its driver.
struct CityMap: Sendable, Equatable {
    let pickup: GeoPoint
    var dropoff: GeoPoint?
    var driver: DisplayableDriver?
    /// The driver's earlier locations.
    var trail: [GeoPoint] = []
    /// The results of a search, which are named before the landmarks.
    var found: [NamedLocation] = []

    func draw(on canvas: inout Canvas, in area: Area, _ language: Language) {
        let (map, last) = area.split(top: area.height - 1)
        let projection = MapProjection(showing: shown, columns: map.width, rows: map.height)
        canvas.clipped(to: map) { canvas in
            for mark in marks(projection) {
                canvas.write(mark.text, x: map.x + mark.spot.column, y: map.y + mark.spot.row)
            }
        }
        legend(projection, language).draw(on: &canvas, in: last)
    }

    /// Includes the trail, so that the scale does not change with each hop towards the pick-up.
    private var shown: [GeoPoint] {
        [pickup] + [dropoff, driver?.location].compactMap { $0 } + trail + found.map(\.location)
    }

    private static let pickupMark = StyledText("●", Style(.bold, foreground: .green))
    private static let dropoffMark = StyledText("◆", Style(.bold, foreground: .red))
    private static let driverMark = StyledText("K", Style([.bold, .reversed], foreground: .yellow))

    /// A later mark covers an earlier one.
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

    /// A name is shown to the right of its place or, if there is no room, to the left. It is omitted if neither fits.
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

    private func legend(_ projection: MapProjection, _ language: Language) -> Row {
        var parts = [Self.pickupMark + " " + StyledText(language.text(.pickup))]
        if dropoff != nil { parts.append(Self.dropoffMark + " " + StyledText(language.text(.dropoff))) }
        if let driver { parts.append(Self.driverMark + " " + StyledText(driver.name)) }
        let text = parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
        return Row(" " + text, StyledText(ScaleBar(projection).text(language) + " ", .dim))
    }
}
