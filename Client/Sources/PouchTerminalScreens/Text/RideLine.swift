import PouchEntities
import PouchTerminal

/// How the ride that brings an order is shown.
enum RideLine {
    /// nil where the order itself says it.
    static func text(_ ride: Ride) -> StyledText? {
        switch ride.status {
        case .requested, .cancelledByDriver: StyledText("Looking for a kangaroo.", .yellow)
        case .accepted, .arriving: text(ride, "comes to fetch it")
        case .inProgress: text(ride, "is on the way to you")
        case .completed, .cancelledByRider, .noDriversAvailable, .unrecognised: nil
        }
    }

    private static func text(_ ride: Ride, _ what: String) -> StyledText {
        let minutes = ride.etaMinutes.map { StyledText("  \($0) min", .bold) } ?? ""
        return StyledText("\(ride.driver?.name ?? "A kangaroo") \(what)", .green) + minutes
    }
}
