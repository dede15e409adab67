import PouchEntities

/// A ride, as it is told of.
public struct DisplayableRide: Sendable, Equatable {
    public let ride: Ride

    public init(_ ride: Ride) {
        self.ride = ride
    }

    public var status: String {
        let driver = ride.driver?.name ?? "Your kangaroo"
        return switch ride.status {
        case .requested: "Looking for a kangaroo"
        case .accepted: "\(driver) is on the way"
        case .arriving: "\(driver) is almost there"
        case .inProgress: "You are riding with \(driver)"
        case .completed: "You have arrived"
        case .cancelledByRider: "You cancelled the ride"
        case .cancelledByDriver: "\(driver) cancelled the ride"
        case .noDriversAvailable: "No kangaroo is free"
        case .unrecognised: "On its way"
        }
    }

    /// In full minutes, of which the last counts as one; nil while nobody is on the way.
    public var remainingTime: String? {
        ride.etaSeconds.map { "\(max(1, ($0 + 59) / 60)) min" }
    }
}
