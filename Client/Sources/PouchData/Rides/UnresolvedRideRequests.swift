import Foundation
import PouchContract
import PouchEntities
import PouchWire

/// A request for a ride that may or may not have reached the server.
public struct UnresolvedRideRequest: Sendable, Hashable, Identifiable {
    fileprivate let write: PendingWrite
    public let waypoints: RideWaypoints
    /// The id of the ride option.
    public let rideOptionID: String

    public var id: String { write.key }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }

    /// - Returns: nil for a write whose body cannot be read.
    fileprivate init?(_ write: PendingWrite) {
        guard let body = write.body.flatMap({ try? WireJSON.decode(RideRequest.self, from: $0) }) else { return nil }
        self.write = write
        waypoints = body.waypoints
        rideOptionID = body.rideOptionID
    }
}

extension DataManager {
    /// The owner's unresolved ride requests, oldest first, without those that are too old to be sent again.
    public func unresolvedRideRequests(of owner: String) async throws(DataError) -> [UnresolvedRideRequest] {
        let now = now()
        return try await mappingStoreErrors(await store.pendingWrites(of: owner))
            .filter { $0.kind == .requestRide && $0.mayBeSent(at: now) }.compactMap(UnresolvedRideRequest.init)
    }

    /// Sends the same bytes under the same key.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await send(Ride.self, request.write, isRepeat: true)
    }

    /// Removes the request; the ride may be in progress all the same. Requesting the same ride again is then a new request.
    public func giveUp(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await removePendingWrite(request.write)
    }
}
