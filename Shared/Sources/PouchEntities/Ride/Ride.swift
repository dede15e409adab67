import Foundation

/// A trip that somebody asked for.
public struct Ride: Codable, Sendable, Hashable, Identifiable {
    /// A status and when the ride came into it.
    public struct Event: Codable, Sendable, Hashable {
        public let status: RideStatus
        public let at: Date

        public init(status: RideStatus, at: Date) {
            self.status = status
            self.at = at
        }
    }

    /// Who comes.
    public struct Driver: Codable, Sendable, Hashable {
        public let name: String
        /// 1...5
        public let rating: Double
        /// Where they are now; at the end of the ride where they were last.
        public let location: GeoPoint

        public init(name: String, rating: Double, location: GeoPoint) {
            self.name = name
            self.rating = rating
            self.location = location
        }
    }

    public let id: String
    public let status: RideStatus
    public let waypoints: RideWaypoints
    public let rideOptionID: String
    public let fare: Money
    /// From `accepted` on.
    public let driver: Driver?
    /// To the pick-up, and from there to the drop-off; nil while nobody is on the way.
    public let etaSeconds: Int?
    public let createdAt: Date
    /// The oldest first.
    public let history: [Event]

    public init(
        id: String,
        status: RideStatus,
        waypoints: RideWaypoints,
        rideOptionID: String,
        fare: Money,
        driver: Driver?,
        etaSeconds: Int?,
        createdAt: Date,
        history: [Event]
    ) {
        self.id = id
        self.status = status
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
        self.fare = fare
        self.driver = driver
        self.etaSeconds = etaSeconds
        self.createdAt = createdAt
        self.history = history
    }
}
