import PouchContract
import PouchEntities
import PouchWire

extension DataManager {
    /// The oldest first. One that is too old to be sent again is not told.
    public func unresolvedRideRequests(of owner: String) async throws(DataError) -> [UnresolvedRideRequest] {
        let now = now()
        let writes = try await stored { () throws(StoreError) in try await store.pendingWrites(of: owner) }
        return writes.filter { $0.kind == .requestRide && $0.mayBeSent(at: now) }.compactMap(UnresolvedRideRequest.init)
    }

    /// Sends the same bytes under the same key.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await send(Ride.self, request.write, isRepeat: true)
    }

    /// Forgets the request; the ride may be under way all the same. Asking for the same ride again is then another request.
    public func giveUp(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await removePendingWrite(request.write)
    }
}

extension UnresolvedRideRequest {
    /// nil for a write whose body cannot be read.
    fileprivate init?(_ write: PendingWrite) {
        guard let body = write.body.flatMap({ try? WireJSON.decode(RideRequest.self, from: $0) }) else { return nil }
        self.init(write: write, waypoints: body.waypoints, rideOptionID: body.rideOptionID)
    }
}
