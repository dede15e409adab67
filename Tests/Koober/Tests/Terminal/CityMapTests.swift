import Foundation
import KooberScreens
import KooberTexts
import PouchEntities
import SeededRandom
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct CityMapTests {
    private struct Spot: Equatable {
        let column: Int
        let row: Int
    }

    /// The lines between the title and the legend, which shows all marks.
    private func map(_ lines: [String]) -> [String] { lines.prefix { !$0.contains("● Pick-up") } }

    private func spot(of mark: Character, _ lines: [String]) -> Spot? {
        for (row, line) in map(lines).enumerated().dropFirst() {
            if let column = Array(line).firstIndex(of: mark) { return Spot(column: column, row: row) }
        }
        return nil
    }

    @Test(arguments: [(48, 14), (80, 24), (99, 40), (100, 30), (200, 60)])
    func `Both ends of any trip are visible with a margin, in the right direction and at the right scale`(
        columns: Int, rows: Int
    ) async throws {
        let shown = WindowUnderTest(columns: columns, rows: rows)
        var random = SplitMix64(seed: 5)
        for _ in 0..<40 {
            let reach = pow(10, Double.random(in: -4...0.5, using: &random))
            let pickup = GeoPoint(
                latitude: .random(in: -60...60, using: &random), longitude: .random(in: -180...180, using: &random))
            let dropoff = GeoPoint(
                latitude: pickup.latitude + .random(in: -reach...reach, using: &random),
                longitude: (pickup.longitude + .random(in: -reach...reach, using: &random))
                    .remainder(dividingBy: 360))
            try await shown.show(Sydney.trip(from: pickup, to: dropoff))
            let lines = shown.lines
            let start = try #require(spot(of: "●", lines), "\(shown.text)")
            guard let end = spot(of: "◆", lines) else {
                // One mark covers the other.
                #expect(reach < 0.01)
                continue
            }
            #expect([start, end].allSatisfy { $0.row >= 1 && $0.column >= 2 && $0.column < columns - 2 })
            let east = (dropoff.longitude - pickup.longitude).remainder(dividingBy: 360)
            let north = dropoff.latitude - pickup.latitude
            if end.column > start.column { #expect(east > 0) }
            if end.column < start.column { #expect(east < 0) }
            if end.row < start.row { #expect(north > 0) }
            if end.row > start.row { #expect(north < 0) }
            // Cells are twice as high as wide; degrees of longitude shrink with the latitude.
            let middle = (pickup.latitude + dropoff.latitude) / 2
            let (width, height) = (Double(end.column - start.column), Double(start.row - end.row) * 2)
            let (metresEast, metresNorth) = (east * cos(middle * .pi / 180), north)
            let scale = hypot(metresEast, metresNorth) / max(1, hypot(width, height))
            #expect(abs(metresEast / scale - width) <= 4, "\(pickup) \(dropoff)\n\(shown.text)")
            #expect(abs(metresNorth / scale - height) <= 6, "\(pickup) \(dropoff)\n\(shown.text)")
        }
    }

    @Test func `A long trip fills most of the map`() async throws {
        let shown = WindowUnderTest(columns: 80, rows: 24)
        try await shown.show(Sydney.trip(from: Sydney.centre, to: GeoPoint(latitude: -33.8688, longitude: 151.9)))
        let (start, end) = (spot(of: "●", shown.lines), spot(of: "◆", shown.lines))
        #expect(try #require(end).column - #require(start).column > 55)
        #expect(shown.text.contains("├"))
    }

    @Test func `The kangaroo moves with each position and leaves a trail, and the map keeps its scale`()
        async throws
    {
        let shown = WindowUnderTest()
        let way = [0.0, 0.25, 0.5, 0.75].map {
            GeoPoint(latitude: -33.9000 + 0.0312 * $0, longitude: 151.1700 + 0.0393 * $0)
        }
        var spots: [Spot] = []
        var pickups: [Spot] = []
        for point in way {
            try await shown.show(Sydney.waiting(Sydney.ride(.accepted, point, eta: 60)))
            spots.append(try #require(spot(of: "K", shown.lines)))
            pickups.append(try #require(spot(of: "●", shown.lines)))
        }
        #expect(zip(spots, spots.dropFirst()).allSatisfy { $0.column < $1.column && $0.row >= $1.row })
        #expect(pickups.allSatisfy { $0 == pickups[0] })
        let trail = map(shown.lines).joined().count { $0 == "∘" }
        #expect(trail >= spots[3].column - spots[0].column - 2)
        #expect(spot(of: "∘", shown.lines) != nil)
        // Another kangaroo has a trail of its own.
        try await shown.show(Sydney.waiting(Sydney.ride(.accepted, way[1], by: "Joey", eta: 60)))
        #expect(spot(of: "∘", shown.lines) == nil)
        #expect(shown.text.contains("K Joey"))
    }

    @Test func `Places are named on the map where there is room`() async throws {
        let shown = WindowUnderTest()
        try await shown.show(Sydney.pickMeUp(.initial))
        let opera = try #require(shown.lines.firstIndex { $0.contains("+ Sydney Opera House") })
        #expect(opera < (spot(of: "●", shown.lines)?.row ?? 0))
        #expect(!shown.text.contains("Parramatta"))
        // A mark covers the name of the destination.
        try await shown.show(Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi))
        #expect(!shown.text.contains("Bondi Beach"))
    }

    @Test func `On a wide terminal the map next to the picker shows all results, even distant ones`() async throws {
        let shown = WindowUnderTest(columns: 120, rows: 30)
        let far = NamedLocation(name: "Echo Point", location: GeoPoint(latitude: -33.7320, longitude: 150.3120))
        let sea = NamedLocation(name: "Out at sea", location: GeoPoint(latitude: -33.8000, longitude: 151.9000))
        try await shown.show(Sydney.search("e", [far, sea]))
        #expect(shown.text.contains("+ Echo Point"))
        // At the edge the name is on the other side.
        #expect(shown.text.contains("Out at sea +"))
        shown.resize(columns: 99, rows: 30)
        #expect(!shown.text.contains("+") && shown.text.contains("  Echo Point"))
    }

    @Test func `An invalid place breaks nothing`() async throws {
        let shown = WindowUnderTest()
        for point in [
            GeoPoint(latitude: .infinity, longitude: .nan), GeoPoint(latitude: 1e300, longitude: -1e300),
            GeoPoint(latitude: 90, longitude: 180), GeoPoint(latitude: -90, longitude: -180),
        ] {
            try await shown.show(Sydney.waiting(Sydney.ride(.accepted, point, eta: .max)))
            #expect(shown.text.contains("● Pick-up"))
            try await shown.show(Sydney.trip(from: point, to: Sydney.centre))
            #expect(shown.text.contains("● Pick-up"))
        }
    }
}
