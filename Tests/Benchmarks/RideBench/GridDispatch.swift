import Benchmarking
import PouchDomain
import PouchEntities
import PouchRides
import PouchStorage

/// As the server does it.
struct GridDispatch: Sendable {
    private let store: ShopDatabase

    init(database: any Database) {
        store = ShopDatabase(database, currency: .eur)
    }

    /// - Returns: the ids of the nearest.
    func find(_ pickups: [GeoPoint]) async throws -> [String] {
        try await store.read { repositories in
            try pickups.map {
                try DriverSearch(repositories.drivers).nearest(.kangaroo, to: $0, without: [])?.id ?? ""
            }
        }
    }

    /// Takes the nearest, and lets it go again.
    func decide(_ pickup: GeoPoint, rideId: String) async throws {
        try await store.write(.readCommitted) { repositories in
            let taken = try DriverSearch(repositories.drivers)
                .claimNearest(.kangaroo, to: pickup, without: [], rideId: rideId)
            guard let taken else { throw BenchError("nobody is free") }
            try repositories.drivers.release(id: taken.id, rideId: rideId, at: taken.location)
        }
    }
}
