import PouchEntities

/// A ride that somebody is about to ask for.
public struct NewRideRequest: Sendable, Hashable {
    public let waypoints: RideWaypoints
    public let option: PricedRideOption

    public init(waypoints: RideWaypoints, option: PricedRideOption) {
        self.waypoints = waypoints
        self.option = option
    }
}
