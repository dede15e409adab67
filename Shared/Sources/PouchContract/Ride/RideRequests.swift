import PouchEntities

/// The body of `quoteRide`.
public struct QuoteRequest: Codable, Sendable, Equatable {
    public let waypoints: RideWaypoints

    public init(waypoints: RideWaypoints) {
        self.waypoints = waypoints
    }
}

/// The body of `requestRide`.
public struct RideRequest: Codable, Sendable, Equatable {
    public let waypoints: RideWaypoints
    public let rideOptionID: String
    /// One of the rider's own for this trip and option; without one the fare is that of now.
    public let quoteID: String?

    public init(waypoints: RideWaypoints, rideOptionID: String, quoteID: String? = nil) {
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
        self.quoteID = quoteID
    }
}
