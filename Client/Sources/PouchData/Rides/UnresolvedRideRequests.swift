import Foundation
import PouchContract
import PouchEntities
import PouchWire

/// A request for a ride that may or may not have reached the server.
public struct UnresolvedRideRequest: Sendable, Hashable, Identifiable {
    fileprivate let write: PendingWrite
    public let waypoints: RideWaypoints
    public let rideOptionID: String

    public var id: String { write.key }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }

    fileprivate init?(_ write: PendingWrite) {
        guard let body = write.body.flatMap({ try? WireJSON.decode(RideRequest.self, from: $0) }) else { return nil }
        self.write = write
        waypoints = body.waypoints
        rideOptionID = body.rideOptionID
    }
}

extension DataManager {
    /// Oldest first, without those that are too old to be sent again.
    public func unresolvedRideRequests(of owner: String) async throws(DataError) -> [UnresolvedRideRequest] {
        let now = now()
        return try await mappingStoreErrors(await store.pendingWrites(of: owner))
            .filter { $0.kind == .requestRide && $0.mayBeSent(at: now) }.compactMap(UnresolvedRideRequest.init)
    }

    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await send(Ride.self, request.write, isRepeat: true)
    }

    /// Requesting the same ride again is then a new request.
    public func giveUp(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await removePendingWrite(request.write)
    }
}
