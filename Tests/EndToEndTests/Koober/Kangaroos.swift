import PouchEntities

@testable import PouchDomain

extension [DriverRecord] {
    /// Ones that take every ride and keep to it, two of each species, near where riders are.
    static var calm: [DriverRecord] {
        Species.allCases.flatMap { species in
            (1...2).map { number in
                DriverRecord(
                    id: "drv_\(species.rawValue)_\(number)", name: "Skip \(number)", species: species, temper: .calm,
                    rating: 47, location: .nearRiders)
            }
        }
    }

    /// One that accepts the ride, and turns back on the way.
    static func turningBack(on ride: Ride) throws -> [DriverRecord] {
        let ids = (0..<10_000).lazy.map { "drv_jumpy_\($0)" }
        let id = ids.first { id in
            Temper.jumpy.accepts(rideId: ride.id, driverId: id)
                && Temper.jumpy.givesUp(rideId: ride.id, driverId: id) != nil
        }
        guard let id, let species = Species(rawValue: ride.rideOptionID) else { throw RideServer.NotThere() }
        return [
            DriverRecord(
                id: id, name: "Ziggy", species: species, temper: .jumpy, rating: 40, location: .nearRiders)
        ]
    }
}

extension GeoPoint {
    /// A kilometre from where riders of a fixed location are.
    fileprivate static let nearRiders = GeoPoint(latitude: -33.8598, longitude: 151.2093)
}
