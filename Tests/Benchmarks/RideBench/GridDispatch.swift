import Benchmarking
import PouchDomain
import PouchEntities
import PouchStorage

/// As the server does it.
struct GridDispatch: Sendable {
    private let store: SQLStore

    init(database: any Database) {
        store = SQLStore(database, currency: .eur)
    }

    /// - Returns: the ids of the nearest.
    func find(_ pickups: [GeoPoint]) async throws -> [String] {
        try await store.read { repositories in
            try pickups.map { try Self.candidates($0, in: repositories).first?.id ?? "" }
        }
    }

    /// Takes the nearest, and lets it go again.
    func decide(_ pickup: GeoPoint, rideId: String) async throws {
        try await store.write(.readCommitted) { repositories in
            let taken = try Self.candidates(pickup, in: repositories).first {
                try repositories.drivers.claim(id: $0.id, rideId: rideId)
            }
            guard let taken else { throw BenchError("nobody is free") }
            try repositories.drivers.release(id: taken.id, rideId: rideId, at: taken.location)
        }
    }

    private static func candidates(_ pickup: GeoPoint, in repositories: any Repositories) throws -> [DriverRecord] {
        try DriverSearch(repositories.drivers).nearest(.kangaroo, to: pickup, without: [])
    }
}
