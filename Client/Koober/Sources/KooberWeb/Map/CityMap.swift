import KooberScreens
import KooberTexts
import PouchEntities

/// A map with a trip and its kangaroo, as SVG.
struct CityMap: Sendable {
    let pickup: DisplayablePlace
    var dropoff: DisplayablePlace?
    var driver: DisplayableDriver?
    /// The driver's earlier locations.
    var trail: [GeoPoint] = []
    /// The results of a search, which are named before the landmarks.
    var found: [DisplayablePlace] = []
    /// Whether the kangaroo is on its way.
    var isMoving = false

    func svg(_ context: PageContext) -> HTML {
        let projection = MapProjection(showing: shown)
        let size = "0 0 \(Int(MapProjection.width)) \(Int(MapProjection.height))"
        return tag("figure", ["class": "map"]) {
            tag("svg", ["viewBox": size, "role": "img", "aria-labelledby": "map-title map-description"]) {
                tag("title", ["id": "map-title"], title(context))
                tag("desc", ["id": "map-description"], driver.map { context.text($0.text) } ?? "")
                tag("path", ["class": "sea", "d": shore(projection)], "")
                lines(projection)
                names(projection, context)
                marks(projection)
                scale(projection, context)
            }
            legend(context)
        }
    }

    /// Includes the trail, so that the scale does not change with each hop towards the pick-up.
    private var shown: [GeoPoint] {
        [pickup.location] + [dropoff?.location, driver?.location].compactMap { $0 } + trail + found.map(\.location)
    }

    private func title(_ context: PageContext) -> String {
        let ends = (context.text(pickup.name), dropoff.map { context.text($0.name) })
        return context.language.text(.mapOf(pickup: ends.0, dropoff: ends.1))
    }

    // MARK: Parts

    private func lines(_ projection: MapProjection) -> HTML {
        tag("g", ["aria-hidden": "true"]) {
            if let dropoff {
                tag("path", ["class": "way", "d": path([pickup.location, dropoff.location], projection)], "")
            }
            // The kangaroo takes a second to reach its latest location, and the trail must not be ahead of it.
            tag(
                "path", ["id": "trail", "class": "trail", "d": path(isMoving ? trail.dropLast() : trail, projection)],
                "")
        }
    }

    private func names(_ projection: MapProjection, _ context: PageContext) -> HTML {
        let results = found.map { NamedLocation(name: context.text($0.name), location: $0.location) }
        let ends = [pickup.location, dropoff?.location].compactMap { $0 }.compactMap(projection.spot)
        let labels = MapLabels(results + Landmarks.sydney, on: projection, around: ends).labels
        let foundNames = Set(results.map(\.name))
        let named = Set(labels.map(\.name))
        return tag("g", ["class": "names", "aria-hidden": "true"]) {
            // A result without room for its name is shown as a spot.
            for place in results where !named.contains(place.name) {
                if let spot = projection.spot(place.location) {
                    tag("g", ["class": "found", "transform": "translate(\(spot.text))"]) {
                        tag("circle", ["r": "3.5"], "")
                    }
                }
            }
            for label in labels {
                tag(
                    "g",
                    [
                        "transform": "translate(\(label.spot.text))",
                        "class": [
                            foundNames.contains(label.name) ? "found" : "landmark",
                            label.isForSmallScreens ? "" : "minor",
                        ].filter { !$0.isEmpty }.joined(separator: " "),
                    ]
                ) {
                    tag("circle", ["r": "3.5"], "")
                    tag("text", ["x": label.isLeft ? "-10" : "10", "class": label.isLeft ? "left" : nil], label.name)
                }
            }
        }
    }

    private func marks(_ projection: MapProjection) -> HTML {
        tag("g", ["aria-hidden": "true"]) {
            if let spot = projection.spot(pickup.location) {
                mark("pickup", spot) { tag("circle", ["r": "11"], "") }
            }
            if let spot = dropoff.flatMap({ projection.spot($0.location) }) {
                mark("dropoff", spot) {
                    tag("path", ["d": "M0 0C-5-9-13-14-13-23a13 13 0 0 1 26 0C13-14 5-9 0 0z"], "")
                    tag("circle", ["cy": "-23", "r": "4.5"], "")
                }
            }
            if let spot = driver.flatMap({ projection.spot($0.location) }) {
                mark(isMoving ? "driver moving" : "driver", spot) {
                    tag("circle", ["r": "25"], "")
                    tag("path", ["transform": "translate(-18 -19) scale(.56)", "d": Kangaroo.outline], "")
                }
            }
        }
    }

    /// The outer element has the position, which changes; the inner one the size, which depends on the screen.
    private func mark(_ classes: String, _ spot: MapProjection.Spot, @HTMLBuilder content: () -> HTML) -> HTML {
        tag(
            "g",
            [
                "id": "mark-\(classes.prefix { $0 != " " })", "class": classes, "transform": "translate(\(spot.text))",
            ]
        ) {
            tag("g", ["class": "mark"], content: content)
        }
    }

    private func scale(_ projection: MapProjection, _ context: PageContext) -> HTML {
        let bar = projection.scaleBar
        let end = MapProjection.width - 24
        let (start, y) = (end - bar.length, MapProjection.height - 22)
        return tag("g", ["class": "scale", "aria-hidden": "true"]) {
            tag("path", ["d": "M\(Int(start)) \(Int(y) - 8)v8H\(Int(end))v-8"], "")
            tag("text", ["x": String(Int(start) - 10), "y": String(Int(y) - 3)], context.text(.distance(bar.metres)))
        }
    }

    private func legend(_ context: PageContext) -> HTML {
        tag("figcaption") {
            tag("span", ["class": "key pickup"], context.text(.pickup))
            if dropoff != nil { tag("span", ["class": "key dropoff"], context.text(.dropoff)) }
            if let driver { tag("span", ["class": "key driver"], driver.name) }
        }
    }

    /// A smooth line: it touches the middle between two points of the sketch, and bends at the points.
    private func shore(_ projection: MapProjection) -> String {
        let spots = Coast.sydney.compactMap(projection.spot)
        let bends = zip(spots, spots.dropFirst()).map { one, next in
            "Q\(one.text) \(MapProjection.Spot(x: (one.x + next.x) / 2, y: (one.y + next.y) / 2).text)"
        }
        guard let first = spots.first, let last = spots.last else { return "" }
        return "M\(first.text)\(bends.joined())L\(last.text)z"
    }

    private func path(_ points: [GeoPoint], _ projection: MapProjection) -> String {
        let spots = points.compactMap(projection.spot)
        return spots.isEmpty ? "" : "M" + spots.map(\.text).joined(separator: "L")
    }
}
