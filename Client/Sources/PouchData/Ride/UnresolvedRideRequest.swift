import Foundation
import PouchEntities

/// A request for a ride of which it is not known whether it reached the server.
public struct UnresolvedRideRequest: Sendable, Hashable, Identifiable {
    let write: PendingWrite
    public let waypoints: RideWaypoints
    /// The id of the option.
    public let rideOptionID: String

    public var id: String { write.key }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }
}
