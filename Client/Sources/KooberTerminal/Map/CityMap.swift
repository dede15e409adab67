import PouchEntities
import PouchTerminal

/// A map with a trip and its driver.
struct CityMap: Sendable, Equatable {
    let pickup: GeoPoint
    var dropoff: GeoPoint?
    var driver: Ride.Driver?
    /// The driver's earlier locations.
    var trail: [GeoPoint] = []
    /// The results of a search, which are named before the landmarks.
    var found: [NamedLocation] = []

    /// The straight-line distance from the pick-up.
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

    /// A name stands to the right of its place or, if there is no room, to the left. It is left out if neither fits.
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

/// The locations of a kangaroo, the latest last.
struct Trail: Sendable, Equatable {
    /// The greatest number of points. The oldest are dropped first.
    static let limit = 1_000

    private(set) var points: [GeoPoint] = []
    private var name: String?

    /// Starts a new trail for another kangaroo.
    mutating func add(_ driver: Ride.Driver?) {
        if driver?.name != name { self = Trail() }
        name = driver?.name
        guard let location = driver?.location, location != points.last else { return }
        points = points.suffix(Self.limit - 1) + [location]
    }
}

/// Well-known places for orientation, the best known first.
enum Landmarks {
    static let sydney: [NamedLocation] = [
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
