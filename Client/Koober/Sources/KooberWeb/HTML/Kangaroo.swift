import KooberScreens

/// A drawing of the animals. The pictures of the ride options are on another server, which a page may not contact.
enum Kangaroo {
    /// The outline from the side, on a square of 64 units.
    static let outline =
        "M4 55c8 3 17 1 22-6 0-9 4-17 12-20 5-2 6-5 6-9l-3-12 5 7 3-8 2 9c4 1 7 4 9 7-1 3-5 4-9 3 0 5-1 9-4 12"
        + "l5 5-1 3-6-3c-1 4-3 7-5 9l2 6 7 2v3H38l-4-9c-3 2-7 3-11 3-6 1-12 1-19-2z"

    /// - Parameter size: 1 for a kangaroo; all animals share one ground line.
    static func drawing(size: Double, classes: String) -> HTML {
        let gap = MapProjection.Spot.number(64 * (1 - size))
        return tag("svg", ["class": classes, "viewBox": "0 0 64 64", "aria-hidden": "true", "focusable": "false"]) {
            tag("path", ["transform": "translate(0 \(gap)) scale(\(size))", "d": outline], "")
        }
    }

    /// An unknown animal looks like a kangaroo.
    static func size(of option: String) -> Double {
        switch option {
        case "wallaby": 0.7
        case "wallaroo": 0.85
        default: 1
        }
    }

    /// The icon of the site, which is a separate file.
    static var icon: HTML {
        tag("svg", ["xmlns": "http://www.w3.org/2000/svg", "viewBox": "-8 -8 80 80"]) {
            tag("circle", ["cx": "32", "cy": "32", "r": "40", "fill": "#a8480f"], "")
            tag("path", ["d": outline, "fill": "#fff"], "")
        }
    }
}
