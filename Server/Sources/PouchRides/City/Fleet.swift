import Foundation
import PouchDomain
import PouchEntities

/// The initial drivers, spread over the city's places; the same in every city.
public struct Fleet: Sendable {
    private static let names = [
        "Matilda", "Banjo", "Clancy", "Wattle", "Bluey", "Coral", "Digger", "Eucla", "Ginger", "Hopper", "Indi",
        "Jarrah", "Kirra", "Lilly", "Mallee", "Nellie", "Olive", "Pippa", "Quokka", "Ruby", "Skip", "Tilly", "Ulla",
        "Violet", "Winston", "Yarra", "Ziggy", "Acacia", "Boomer", "Dusty",
    ]

    private static let places = Gazetteer.sydney.map(\.location).filter(CitySettings.covers)

    private let environment: RideEnvironment

    public init(_ environment: RideEnvironment) {
        self.environment = environment
    }

    /// Adds missing drivers, and the drawings of the ride options. Safe in any number of processes; writes nothing when
    /// all exist.
    public func establish() async throws {
        let drivers = Species.allCases.flatMap { species in
            (0..<environment.city.kangaroosOfEachSpecies).map { Self.driver($0, species) }
        }
        let drawings = Species.allCases.flatMap { species in
            [false, true].map { drawing(species, isSelected: $0) }
        }
        let isEstablished = try await environment.domain.store.read { repositories in
            try repositories.drivers.count() >= drivers.count
                && drawings.allSatisfy { try repositories.assets.head(path: $0.path)?.digest == $0.digest }
        }
        guard !isEstablished else { return }
        try await environment.domain.store.write(.readCommitted) { repositories in
            if try repositories.drivers.count() < drivers.count { try repositories.drivers.insert(drivers) }
            for drawing in drawings { try repositories.assets.put(drawing) }
        }
    }

    private func drawing(_ species: Species, isSelected: Bool) -> StoredAsset {
        let bytes = Data(RideDrawing.svg(species, selected: isSelected).utf8)
        return StoredAsset(
            path: species.imagePath(isSelected: isSelected), mediaType: "image/svg+xml",
            digest: environment.domain.digests.sha256(bytes), bytes: bytes)
    }

    /// - Parameter number: the driver's number within the species, from 0.
    static func driver(_ number: Int, _ species: Species) -> DriverRecord {
        let id = "drv_\(species.rawValue)_\(number + 1)"
        var hash = StableHash()
        hash.combine(id)
        // Neighbours in the alphabet should not be neighbours in the city.
        let place = places[Int(hash.value >> 32) % places.count]
        let offset = { (shift: UInt64) in Double(Int(hash.value >> shift & 0xFF) - 128) / 128 * 0.008 }
        return DriverRecord(
            id: id, name: names[Int(hash.value >> 16 & 0xFFFF) % names.count], species: species,
            temper: Temper.allCases[number % Temper.allCases.count], rating: 38 + Int(hash.value >> 8 & 0xFF) % 13,
            location: GeoPoint(
                latitude: place.latitude + offset(0), longitude: place.longitude + offset(24)))
    }
}

/// Searches the grid for the driver nearest to a point.
public struct DriverSearch {
    /// The maximum air distance of a driver from the pick-up, in metres.
    public static let reach = 20_000.0

    private let drivers: any DriverRepository

    public init(_ drivers: any DriverRepository) {
        self.drivers = drivers
    }

    /// The nearest waiting driver within reach, except the refused ones; of drivers at the same distance, the one whose
    /// id comes first.
    public func nearest(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> DriverRecord? {
        var nearest: (driver: DriverRecord, distance: Double)?
        for (level, rings) in Self.steps(around: point) {
            nearest = try drivers.waiting(species, in: CityGrid.cells(around: point, rings: rings, level))
                .filter { !refusals.contains($0.id) }
                .map { ($0, $0.location.distance(to: point)) }
                .filter { $0.distance <= Self.reach }
                .min { ($0.distance, $0.driver.id) < ($1.distance, $1.driver.id) }
            let certain = CityGrid.certainDistance(around: point, rings: rings, level)
            if let nearest, nearest.distance <= certain { break }
        }
        return nearest?.driver
    }

    /// Assigns a ride to the nearest free driver. If another transaction takes that driver, tries the next nearest.
    ///
    /// - Parameter refusals: the ids of drivers to skip.
    public func claimNearest(
        _ species: Species, to point: GeoPoint, without refusals: [String], rideId: String
    ) throws -> DriverRecord? {
        var left = refusals
        while let driver = try nearest(species, to: point, without: left) {
            if try drivers.claim(id: driver.id, rideId: rideId) { return driver }
            left.append(driver.id)
        }
        return nil
    }

    /// Whether any driver within reach could be asked, now or after its ride.
    func mayCome(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> Bool {
        guard let (level, rings) = Self.steps(around: point).last else { return false }
        let cells = CityGrid.cells(around: point, rings: rings, level)
        func isOne(_ driver: DriverRecord) -> Bool {
            !refusals.contains(driver.id) && driver.location.distance(to: point) <= Self.reach
        }
        return try drivers.busy(species, in: cells).contains(where: isOne)
            || drivers.waiting(species, in: cells).contains(where: isOne)
    }

    private static func steps(around point: GeoPoint) -> [(CityGrid.Level, rings: Int)] {
        [(.near, 1), (.far, 1), (.far, CityGrid.rings(around: point, metres: reach, .far))]
    }
}

/// Distances and travel times in the city.
struct CityStreets: Sendable {
    /// The ratio of street length to air distance in real towns.
    private static let detour = 1.3

    private let speed: Double

    init(_ settings: CitySettings) {
        speed = settings.speed
    }

    static func metres(from start: GeoPoint, to end: GeoPoint) -> Int {
        Int((start.distance(to: end) * detour).rounded())
    }

    func travelTime(from start: GeoPoint, to end: GeoPoint, by species: Species) -> TimeInterval {
        seconds(Double(Self.metres(from: start, to: end)) / species.pace)
    }

    /// The time in the city for a number of real seconds.
    func seconds(_ seconds: Double) -> TimeInterval { seconds / speed }
}
