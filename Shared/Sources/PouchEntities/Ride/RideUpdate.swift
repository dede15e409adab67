/// The changed parts of a ride.
///
/// An event `status` has the status with the driver, the remaining time and the history as they are then; what it leaves
/// out is not there any more. An event `position` has the driver and the remaining time.
public struct RideUpdate: Codable, Sendable, Hashable {
    public let status: RideStatus?
    public let driver: Ride.Driver?
    public let etaSeconds: Int?
    public let history: [Ride.Event]?

    public init(
        status: RideStatus? = nil, driver: Ride.Driver? = nil, etaSeconds: Int? = nil, history: [Ride.Event]? = nil
    ) {
        self.status = status
        self.driver = driver
        self.etaSeconds = etaSeconds
        self.history = history
    }
}

extension Ride {
    /// A position that comes after the ride has no driver any more changes nothing.
    public func applying(_ update: RideUpdate) -> Ride {
        guard update.status != nil || driver != nil else { return self }
        return Ride(
            id: id, status: update.status ?? status, waypoints: waypoints, rideOptionID: rideOptionID, fare: fare,
            driver: update.driver ?? (update.status == nil ? driver : nil),
            etaSeconds: update.etaSeconds ?? (update.status == nil ? etaSeconds : nil),
            createdAt: createdAt, history: update.history ?? history)
    }
}
