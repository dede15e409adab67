import PouchEntities

/// Where a kangaroo was seen, the latest last.
struct Trail: Sendable, Equatable {
    /// Points at most: of a long way the beginning is forgotten.
    static let limit = 1_000

    private(set) var points: [GeoPoint] = []
    private var name: String?

    /// Another kangaroo begins a trail of its own.
    mutating func add(_ driver: Ride.Driver?) {
        if driver?.name != name { self = Trail() }
        name = driver?.name
        guard let location = driver?.location, location != points.last else { return }
        points = points.suffix(Self.limit - 1) + [location]
    }
}
