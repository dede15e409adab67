import PouchDomain
import PouchEntities

/// Which status a ride may go into from which.
public enum RideMachine {
    public static let transitions: [RideStatus: Set<RideStatus>] = [
        .requested: [.accepted, .cancelledByRider, .noDriversAvailable],
        .accepted: [.arriving, .cancelledByRider, .cancelledByDriver],
        .arriving: [.inProgress, .cancelledByRider],
        .inProgress: [.completed],
        // While others may come; else it has ended there.
        .cancelledByDriver: [.requested],
        .completed: [],
        .cancelledByRider: [],
        .noDriversAvailable: [],
    ]

    /// Nothing leads to a status that this version does not know, nor away from it.
    public static func allows(_ from: RideStatus, to: RideStatus) -> Bool {
        transitions[from]?.contains(to) ?? false
    }
}
