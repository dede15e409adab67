import KooberScreens
import PouchEntities

/// A name on the map that covers no other one.
struct MapLabel: Sendable {
    let name: String
    let spot: MapProjection.Spot
    /// Whether the name is to the left of its place.
    let isLeft: Bool
    /// Whether there is also room for it on a small screen, where letters take up more of the map.
    let isForSmallScreens: Bool
}

/// Chooses the names that fit: the results of a search before the landmarks.
struct MapLabels {
    /// In units of the map, on large and on small screens; as in the style sheet.
    private static let (largeScreen, smallScreen) = (16.0, 34.0)
    /// Of a letter, in sizes of the font.
    private static let letterWidth = 0.56
    private static let distance = 12.0

    private let projection: MapProjection
    private var taken: (large: [Box], small: [Box])
    private(set) var labels: [MapLabel] = []

    /// - Parameter marks: spots that no name may cover.
    init(_ places: [NamedLocation], on projection: MapProjection, around marks: [MapProjection.Spot]) {
        self.projection = projection
        taken = (marks.map { Box(around: $0, by: 20) }, marks.map { Box(around: $0, by: 38) })
        var named: Set<String> = []
        for place in places where named.insert(place.name).inserted { add(place) }
    }

    private mutating func add(_ place: NamedLocation) {
        guard let spot = projection.spot(place.location), projection.contains(spot) else { return }
        for isForSmallScreens in [true, false] {
            for isLeft in [false, true] {
                let label = MapLabel(
                    name: place.name, spot: spot, isLeft: isLeft, isForSmallScreens: isForSmallScreens)
                let large = box(label, font: Self.largeScreen)
                let small = box(label, font: Self.smallScreen)
                guard isFree(large, taken.large), !isForSmallScreens || isFree(small, taken.small) else { continue }
                taken.large.append(large)
                if isForSmallScreens { taken.small.append(small) }
                labels.append(label)
                return
            }
        }
    }

    private func box(_ label: MapLabel, font: Double) -> Box {
        let width = Double(label.name.count) * Self.letterWidth * font + Self.distance
        let left = label.isLeft ? label.spot.x - width : label.spot.x - 6
        return Box(
            left: left, right: left + width + 6, top: label.spot.y - font * 0.7, bottom: label.spot.y + font * 0.7)
    }

    private func isFree(_ box: Box, _ taken: [Box]) -> Bool {
        box.left >= 0 && box.right <= MapProjection.width && box.top >= 0 && box.bottom <= MapProjection.height
            && !taken.contains { $0.overlaps(box) }
    }
}

private struct Box {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    func overlaps(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}

extension Box {
    init(around spot: MapProjection.Spot, by distance: Double) {
        self.init(
            left: spot.x - distance, right: spot.x + distance, top: spot.y - distance, bottom: spot.y + distance)
    }
}
