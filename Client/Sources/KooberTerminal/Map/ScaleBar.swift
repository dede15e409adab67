import Foundation
import PouchTerminal

/// A round distance on a map, as long as it is there.
struct ScaleBar: Sendable {
    /// In columns.
    private static let longest = 8

    let columns: Int
    let metres: Double

    /// The longest of 1, 2 and 5 times a power of ten that there is room for.
    init(_ projection: MapProjection) {
        let room = projection.metresPerColumn * Double(Self.longest)
        let power = pow(10, floor(log10(room)))
        metres = [5, 2, 1].map { $0 * power }.first { $0 <= room } ?? power
        columns = max(2, Int((metres / projection.metresPerColumn).rounded()))
    }

    var text: String {
        "├" + String(repeating: "─", count: columns - 2) + "┤ " + DistanceText.text(metres)
    }
}
