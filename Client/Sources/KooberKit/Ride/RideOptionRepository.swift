import PouchEntities

/// What there is to ride on.
public protocol RideOptionRepository: AnyObject, Sendable {
    /// The smallest first; empty where there are no kangaroos.
    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption]
}
