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
